/**
 * Names of features with values in them, each made once: `list ${list} size ${size}`. A text that is joined again has
 * to be hashed again at every look-up. Values are from small sets.
 */
type Value = string | number

interface Names {
  readonly next: Map<Value, Names>
  name?: string
}

const patterns = new Map<TemplateStringsArray, Names>()

export function named(parts: TemplateStringsArray, ...values: readonly Value[]): string {
  let names = nextOf(patterns, parts)
  for (const value of values) names = nextOf(names.next, value)
  return (names.name ??= String.raw({ raw: parts }, ...values))
}

function nextOf<Key>(known: Map<Key, Names>, key: Key): Names {
  let next = known.get(key)
  if (next === undefined) known.set(key, (next = { next: new Map() }))
  return next
}
