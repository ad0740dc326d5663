import { expect, it } from 'vitest'
import { systemMessage, systemReason } from '#synoptic/base/util/system-reason.js'

const failed = (message: string, more: object) => Object.assign(new Error(message), more)

it.each([
  [
    failed('getaddrinfo ENOTFOUND x', { code: 'ENOTFOUND' }),
    /no host has this name.*\(ENOTFOUND\)$/,
  ],
  [failed('x', { code: 'EUNHEARD' }), /^EUNHEARD$/],
  [failed('x', { code: 7 }), /^x$/],
  [new SyntaxError('Unexpected end'), /^Unexpected end$/],
  ['thrown', /^thrown$/],
])('the reason of %j', (error, reason) => expect(systemReason(error)).toMatch(reason))

it.each([
  [
    failed("EISDIR: illegal, open 'a'", { code: 'EISDIR', path: 'a' }),
    'a: it is a folder (EISDIR)',
  ],
  [failed('own words', { code: 'EOWN', path: 'a' }), 'own words'],
  [failed('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), 'connect ECONNREFUSED'],
])('the message of %j', (error, message) => expect(systemMessage(error)).toBe(message))
