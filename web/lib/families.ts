/** Which family of tags distinguishes a work from others: it colours the work's tile. */
import type { ResultTag } from './types.js'

/** How many tags each family of the vocabulary has; a family with many says less by having one. */
const sizes: Readonly<Record<string, number>> = {
  theme: 185,
  cast: 68,
  setting: 57,
  tone: 44,
  relationship: 34,
  form: 32,
  look: 18,
  content: 11,
}
const families = Object.keys(sizes)

/** @param fallback anything that stays the same for a work, such as its id */
export function familyOf(tags: readonly ResultTag[] = [], fallback = 0): string {
  const weights = new Map<string, number>()
  for (const { family, weight } of tags) {
    if (family !== null && Object.hasOwn(sizes, family)) {
      const share = weight / Math.sqrt(sizes[family] ?? 1)
      weights.set(family, (weights.get(family) ?? 0) + share)
    }
  }
  const [best] = [...weights].sort(([, one], [, other]) => other - one)
  return best?.[0] ?? families[fallback % families.length] ?? 'theme'
}
