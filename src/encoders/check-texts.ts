/** Throws a TypeError that names the first element that is neither a string nor a list of ids. */
export function checkTexts(texts: readonly unknown[]): void {
  const strange = texts.findIndex((text) => typeof text !== 'string' && !Array.isArray(text))
  if (strange < 0) return
  throw new TypeError(`expected a string as text ${strange}, got ${typeof texts[strange]}`)
}
