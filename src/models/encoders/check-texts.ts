/** Throws a TypeError that names the first element that is neither a string nor a list of token ids. */
export function checkTexts(texts: readonly unknown[]): void {
  const strange = texts.findIndex((text) => typeof text !== 'string' && !isIds(text))
  if (strange < 0) return
  throw new TypeError(`expected a string as text ${strange}, got ${typeof texts[strange]}`)
}

const isIds = (text: unknown): boolean =>
  Array.isArray(text) && text.every((id) => Number.isInteger(id) && id >= 0)
