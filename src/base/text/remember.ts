/**
 * A function of a key that keeps what it returned for the keys it was called with lately: most queries have the same few
 * thousand words.
 * @param most keys that are kept; then it forgets all
 */
export function remember<Value>(
  most: number,
  compute: (key: string) => Value,
): (key: string) => Value {
  const known = new Map<string, { readonly value: Value }>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found.value
    if (known.size >= most) known.clear()
    const value = compute(key)
    known.set(key, { value })
    return value
  }
}
