import { opening, sharesBeginning } from '#synoptic/search/eval/openings.js'
import { describe, expect, test } from 'vitest'

describe('the opening of a text', () => {
  test.each([
    ['One. Two. Three.', 'One. Two.'],
    ['Only one sentence', 'Only one sentence'],
    ['A question? "Yes!" he said. And so on.', 'A question? "Yes!" he said.'],
    [
      'He weighs 2.5 tons. then nothing. The end. More.',
      'He weighs 2.5 tons. then nothing. The end.',
    ],
    ['Lines\nare  joined.\n\nAll of them. Not this.', 'Lines are joined. All of them.'],
    ['  ', ''],
    ['', ''],
  ])('of %j is %j', (text, expected) => {
    expect(opening(text)).toBe(expected)
  })

  test('has at most 400 characters and no half of one', () => {
    expect(opening('word '.repeat(200))).toBe('word '.repeat(80).trim())
    expect(opening(`${'x'.repeat(399)}🐙`)).toBe('x'.repeat(399))
    expect(opening(`${'x'.repeat(398)}🐙🐙`)).toBe(`${'x'.repeat(398)}🐙`)
  })
})

describe('two texts', () => {
  const story = 'Twelve kingdoms are at war; a girl from Tokyo is a queen.'

  test.each([
    ['twelve kingdoms: are at WAR — a girl from Turkey', true],
    ['The twelve kingdoms are at war; a girl from Tokyo is a queen.', false],
    ['Twelve kingdoms are at war', false],
    ['', false],
  ])('begin the same or not: %j', (other, expected) => {
    expect(sharesBeginning(story, other)).toBe(expected)
    expect(sharesBeginning(other, story)).toBe(expected)
  })
})
