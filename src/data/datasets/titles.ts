/** Keys by which titles of different sources match, and facts that rule a match out. */

/** The same title in another case or width: NFKC, case-folded, spaces as one. */
export function exactTitle(title: string): string {
  if (singleSpaced.test(title)) return title.toLowerCase()
  // Upper case first folds what lower case alone keeps apart, such as ß and ss.
  return title.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim()
}

/** ASCII without other white space than single spaces inside. */
const singleSpaced = /^[!-~]+(?: [!-~]+)*$/

/** The same besides with punctuation folded: `K-On!` and `K ON`. */
export function titleKey(title: string): string {
  const exact = exactTitle(title)
  const folded = exact.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ').trim()
  // A title of punctuation alone has only its own form.
  return folded === '' ? exact : folded
}

export interface Facts {
  readonly type: string | null
  readonly year: number | null
}

/** Whether two works of the same title must be different ones. Sources differ by a year at times. */
export function contradict(one: Facts, other: Facts): boolean {
  if (one.year !== null && other.year !== null && Math.abs(one.year - other.year) > 1) return true
  const family = families.get(one.type ?? '')
  const otherFamily = families.get(other.type ?? '')
  return family !== undefined && otherFamily !== undefined && family !== otherFamily
}

/**
 * Types that sources confuse share a family. A type that is not listed rules out nothing: `ona` may be a
 * series, a film or a special elsewhere.
 */
const families: ReadonlyMap<string, string> = new Map([
  ['tv', 'series'],
  ['tv_short', 'series'],
  ['movie', 'single'],
  ['ova', 'single'],
  ['special', 'single'],
  ['tv_special', 'single'],
  ['music', 'music'],
  ['manga', 'comic'],
  ['manhwa', 'comic'],
  ['manhua', 'comic'],
  ['one_shot', 'comic'],
  ['doujinshi', 'comic'],
  ['light_novel', 'novel'],
  ['novel', 'novel'],
])
