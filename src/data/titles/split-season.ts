/**
 * What a title says of its place in a series, split off its words: "2nd Season", "Season 2", "S2", "II",
 * "Part 2", "the Movie", "第2期", "(2011)". Words that are all that there is stay a title.
 */

export interface Season {
  /** 0 where the title does not say; a bare "part 2" or "2" is season 2. */
  readonly number: number
  readonly part: number
  readonly kind: SeasonKind
  /** Of the trailing year, 0 where there is none. */
  readonly year: number
}

/** In the order of their numbers in a file. */
const seasonKinds = ['none', 'movie', 'ova', 'ona', 'special', 'final', 'tv'] as const
type SeasonKind = (typeof seasonKinds)[number]

export interface SplitTitle {
  /** The words without those of the season, which are in turn. */
  readonly base: readonly string[]
  /** How many words of the season stand before the base. */
  readonly before: number
  readonly season: Season
}

export function splitSeason(words: readonly string[]): SplitTitle {
  const found: Found = { number: 0, part: 0, kind: 'none', year: 0 }
  let base = words
  for (;;) {
    const known = { ...found }
    const stripped = stripLast(base, found)
    if (stripped === 0) break
    if (stripped >= base.length) {
      // It is all that there is.
      Object.assign(found, known)
      break
    }
    base = base.slice(0, -stripped)
  }
  const head = base[0] ?? ''
  let before = 0
  if (base.length > 1 && filmWords.has(head) && found.kind === 'none') {
    found.kind = 'movie'
    base = base.slice(1)
    before = 1
  }
  // "Part 2" alone is what others call the second season.
  if (found.number === 0) [found.number, found.part] = [found.part, 0]
  return { base, before, season: found }
}

/** "season 2 part 1 movie", empty where the title says nothing: the same for all spellings. */
export function seasonWords({ number, part, kind, year }: Season): string {
  const words = [
    kind === 'none' || kind === 'tv' ? '' : kind,
    number > 1 ? `s${number}` : '',
    part > 1 ? `p${part}` : '',
    year > 0 ? String(year) : '',
  ]
  return words.join('')
}

interface Found {
  number: number
  part: number
  kind: SeasonKind
  year: number
}

/** How many of the last words speak of the season, in the longest reading; what they say goes to `found`. */
function stripLast(words: readonly string[], found: Found): number {
  const last = words.at(-1) ?? ''
  const before = words.at(-2) ?? ''
  const third = words.at(-3) ?? ''
  const kind = kindWords.get(last)
  if (kind !== undefined && found.kind === 'none') {
    found.kind = kind
    return before === 'the' && words.length > 2 ? 2 : 1
  }
  if (isSeasonWord(last)) {
    if (before === 'final' && found.kind === 'none') {
      found.kind = 'final'
      return third === 'the' && words.length > 3 ? 3 : 2
    }
    const ordinal = ordinalOf(before)
    if (ordinal > 0 && setNumber(found, 'number', ordinal)) return third === '第' ? 3 : 2
    return 0
  }
  const number = isSeasonWord(before) || partWords.has(before) ? countOf(last) : numberOf(last)
  if (number > 0) {
    if (isSeasonWord(before) && setNumber(found, 'number', number)) return 2
    if (partWords.has(before) && setNumber(found, 'part', number)) return 2
    if (number >= 2 && setNumber(found, 'number', number)) return 1
    return 0
  }
  const short = /^s(?:eason)?(\d{1,2})$/.exec(last)
  if (short !== null && setNumber(found, 'number', Number(short[1]))) return 1
  if (/^(?:19[5-9]|20[0-3])\d$/.test(last) && found.year === 0 && words.length > 1) {
    found.year = Number(last)
    return 1
  }
  return 0
}

function setNumber(found: Found, member: 'number' | 'part', value: number): boolean {
  if (found[member] !== 0 || value === 0 || value > maxNumber) return false
  found[member] = value
  return true
}

/** A larger number is more often part of the name, as in "Mob Psycho 100". */
const maxNumber = 19

function isSeasonWord(word: string): boolean {
  return seasonNames.has(word)
}

/** "2nd", "second", and "2" before 期. */
export function ordinalOf(word: string): number {
  const digits = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)
  if (digits !== null) return Number(digits[1])
  return ordinals.indexOf(word) + 1
}

/** "2" and "ii", but not the letters "i", "v" and "x", which are names more often. */
function numberOf(word: string): number {
  if (/^\d{1,2}$/.test(word)) return Number(word) <= maxNumber ? Number(word) : 0
  return romanNumbers.get(word) ?? 0
}

/** "one", too, behind a word for a season: "two" alone is a name more often. */
const countOf = (word: string): number => cardinals.indexOf(word) + 1 || numberOf(word)

const cardinals = 'one two three four five six seven eight nine ten'.split(' ')
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')

const romanNumbers: ReadonlyMap<string, number> = new Map([
  ['ii', 2],
  ['iii', 3],
  ['iv', 4],
  ['vi', 6],
  ['vii', 7],
  ['viii', 8],
  ['ix', 9],
])

const seasonNames: ReadonlySet<string> = new Set(
  'season seasons series 期 シーズン シリーズ 季 기 시즌'.split(' '),
)
const partWords: ReadonlySet<string> = new Set('part cour pt パート 파트'.split(' '))

const kindWords: ReadonlyMap<string, SeasonKind> = new Map([
  ['movie', 'movie'],
  ['movies', 'movie'],
  ['film', 'movie'],
  ['gekijouban', 'movie'],
  ['gekijoban', 'movie'],
  ['劇場版', 'movie'],
  ['ova', 'ova'],
  ['ovas', 'ova'],
  ['oav', 'ova'],
  ['oad', 'ova'],
  ['ona', 'ona'],
  ['special', 'special'],
  ['specials', 'special'],
  ['tv', 'tv'],
])
/** Those that stand before a title. */
const filmWords: ReadonlySet<string> = new Set(['gekijouban', 'gekijoban', '劇場版'])

/** As 32 bits. */
export function packSeason({ number, part, kind, year }: Season): number {
  return ((year << 16) | (seasonKinds.indexOf(kind) << 12) | (part << 6) | number) >>> 0
}

export function unpackSeason(packed: number): Season {
  return {
    number: packed & 0x3f,
    part: (packed >>> 6) & 0x3f,
    kind: seasonKinds[(packed >>> 12) & 0xf] ?? 'none',
    year: packed >>> 16,
  }
}
