/** A key as the key file describes it: never the key itself, only its hash. */
import * as v from 'valibot'
import { looksLikeKey } from './api-key.js'
import { scopes, type Scope } from './scopes.js'

export interface KeyRecord {
  /** The name in logs and metrics. */
  readonly name: string
  /** SHA-256 of the key, in hexadecimal. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** ISO 8601, as are all times here. */
  readonly created: string
  /** The key opens nothing from this time on. */
  readonly expires?: string | undefined
  /** Its own limit of requests, in place of those of `--rate-limit`. */
  readonly perMinute?: number | undefined
}

const nameExpected =
  'expected 1 to 64 letters, digits, dots, dashes and underscores that do not begin with syn_'
export const keyName = v.pipe(
  v.string(nameExpected),
  v.regex(/^[A-Za-z0-9][\w.-]{0,63}$/, nameExpected),
  v.check((name) => !looksLikeKey(name), nameExpected),
)

const maxPerMinute = 1_000_000_000
const perMinuteExpected = `expected an integer from 1 to ${maxPerMinute}`
export const perMinute = v.pipe(
  v.number(perMinuteExpected),
  v.integer(perMinuteExpected),
  v.minValue(1, perMinuteExpected),
  v.maxValue(maxPerMinute, perMinuteExpected),
)

const scopesExpected = `expected a list of ${scopes.join(', ')}`
const time = v.pipe(v.string(), v.isoTimestamp('expected a time such as 2027-01-31T00:00:00.000Z'))

const keyRecord: v.GenericSchema<unknown, KeyRecord> = v.strictObject({
  name: keyName,
  hash: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/, 'expected 64 hexadecimal digits')),
  scopes: v.pipe(v.array(v.picklist(scopes, scopesExpected)), v.nonEmpty(scopesExpected)),
  created: time,
  expires: v.optional(time),
  perMinute: v.optional(perMinute),
})

/** The whole file. */
export const keyFile = v.strictObject({
  keys: v.pipe(
    v.array(keyRecord),
    v.check((keys) => areDistinct(keys.map(({ name }) => name)), 'expected each name once'),
    v.check((keys) => areDistinct(keys.map(({ hash }) => hash)), 'expected each hash once'),
  ),
})

const areDistinct = (words: readonly string[]) => new Set(words).size === words.length
