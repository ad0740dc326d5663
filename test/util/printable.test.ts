import { expect, it } from 'vitest'
import { asciiControls, printable, printableJson } from '#synoptic/base/util/printable.js'

const controls = Array.from({ length: 160 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => /\p{Cc}/u.test(character),
)

it('a text keeps its letters, tabs and lines, and no other control character', () => {
  expect(printable('a\tb\nÄ 見 🧙')).toBe('a\tb\nÄ 見 🧙')
  expect(printable('\x1b[31m\u009b2J\r')).toBe('\\u001b[31m\\u009b2J\\u000d')
  expect(printable(controls.join(''))).not.toMatch(/(?![\t\n])\p{Cc}/u)
})

it('JSON means the same with its controls escaped', () => {
  const value = { title: controls.join(''), path: '\\u001b' }
  const json = asciiControls(JSON.stringify(value))
  expect(json).not.toMatch(/\p{Cc}/u)
  expect(JSON.parse(json)).toEqual(value)
})

it('JSON for a terminal holds no control character once it is read', () => {
  const text = `${controls.join('')}\\u001b\\`
  const read = JSON.parse(printableJson(JSON.stringify({ text }))) as { text: string }
  expect(read.text).not.toMatch(/(?![\t\n])\p{Cc}/u)
  expect(read.text).toContain('\t\n')
  expect(read.text.endsWith('\\u001b\\')).toBe(true)
})
