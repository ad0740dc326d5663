/** Throws a TypeError that names the first element that is not a string. */
export function checkTexts(texts: readonly unknown[]): void {
  const strange = texts.findIndex((text) => typeof text !== 'string')
  if (strange < 0) return
  throw new TypeError(`expected a string as text ${strange}, got ${typeof texts[strange]}`)
}
