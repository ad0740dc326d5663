/** `true`, `1`, `false` and `0` in any case become a boolean; anything else stays as it is. */
export const asBoolean = (word: unknown): unknown =>
  typeof word === 'string' ? (booleans.get(word.toLowerCase()) ?? word) : word
const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])
