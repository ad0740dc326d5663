/** The contents of a map: a point for each work, in columns, and the names of the regions. */
import { shownId, type EntryId } from '../../data/catalogue/text-ids.js'
import type { Catalogue, DatasetInfo } from '../../data/catalogue/catalogue.js'
import { isAdult } from '../../data/catalogue/adult.js'
import type { Entry } from '../../data/catalogue/entry.js'
import { shownTitle } from '../../data/catalogue/shown-title.js'
import type { RowFacts } from '../../data/catalogue/row-facts.js'
import { tagDegrees } from '../../data/catalogue/tag-degrees.js'
import type { TagWords } from '../reader/lexicon.js'
import { findRegions, type Region } from './regions.js'
import type { Trait } from './work-vectors.js'

/** The best-known work first. */
export interface MapData {
  readonly dataset: string
  readonly model: string
  /** Coordinates lie from 0 to this. */
  readonly extent: number
  /** Works without texts and tags, which have no point. */
  readonly unplaced: number
  /** Families of tags, by number. */
  readonly families: readonly string[]
  readonly works: {
    readonly id: readonly EntryId[]
    readonly title: readonly string[]
    /** Empty where it is the title, or not known. */
    readonly english: readonly string[]
    readonly native: readonly string[]
    /** 0 where unknown. */
    readonly year: readonly number[]
    readonly family: readonly number[]
    readonly x: readonly number[]
    readonly y: readonly number[]
  }
  readonly regions: readonly Region[]
}

export interface Layout {
  /** Rows of the catalogue, ascending. */
  readonly rows: Uint32Array
  /** Two coordinates each. */
  readonly points: Uint16Array
}

export interface MapDataOptions {
  readonly catalogue: Pick<Catalogue, 'entry' | 'popularity'>
  readonly dataset: DatasetInfo
  readonly model: string
  readonly extent: number
  readonly tags: readonly TagWords[]
  readonly traits: readonly Trait[]
}

/**
 * Tags that warn of something place works, and name no region.
 * @returns the map of all works, and that without works for adults, which is the same where there are none
 */
export function describeMap(
  { rows, points }: Layout,
  { catalogue, dataset, model, extent, tags, traits }: MapDataOptions,
): { readonly all: MapData; readonly general: MapData } {
  const popularity = catalogue.popularity(dataset.name)
  const fameOf = (row: number) => {
    const fame = popularity?.[row] ?? NaN
    return Number.isNaN(fame) ? -Infinity : fame
  }
  const places = [...rows.keys()].sort((one, other) => {
    const [a, b] = [rows[one] ?? 0, rows[other] ?? 0]
    return fameOf(b) - fameOf(a) || a - b
  })
  const families = createFamilies(tags)
  const warnings = new Set(
    tags.filter(({ family }) => family === 'content').map(({ name }) => name),
  )
  const works = places.map((at) => {
    const entry = catalogue.entry(dataset.name, rows[at] ?? 0)
    const { id, title, year } = entry
    return {
      at,
      id: shownId(entry),
      title,
      english: otherTitle(entry, 'english'),
      native: otherTitle(entry, 'native'),
      year: year ?? 0,
      isAdult: isAdult(entry),
      family: families.of(entry.facts.tags ?? {}, id),
      x: points[2 * at] ?? 0,
      y: points[2 * at + 1] ?? 0,
    }
  })
  const naming = traits.filter(({ name }) => !warnings.has(name))
  const mapOf = (shown: typeof works): MapData => {
    const { points: placed, traits: own } = only(
      shown.map(({ at }) => at),
      { rows, points },
      naming,
    )
    return {
      dataset: dataset.name,
      model,
      extent,
      families: families.names,
      unplaced: dataset.rows - rows.length,
      works: {
        id: shown.map(({ id }) => id),
        title: shown.map(({ title }) => title),
        english: shown.map(({ english }) => english),
        native: shown.map(({ native }) => native),
        year: shown.map(({ year }) => year),
        family: shown.map(({ family }) => family),
        x: shown.map(({ x }) => x),
        y: shown.map(({ y }) => y),
      },
      regions: findRegions(placed, own),
    }
  }
  const all = mapOf(works)
  const isMixed = works.some((work) => work.isAdult)
  return { all, general: isMixed ? mapOf(works.filter((work) => !work.isAdult)) : all }
}

function otherTitle(entry: Entry, language: 'english' | 'native'): string {
  const title = shownTitle(entry, language)
  return title === entry.title ? '' : title
}

/** The layout and traits of some works: the traits' rows become positions among them. */
function only(places: readonly number[], { rows, points }: Layout, traits: readonly Trait[]) {
  const positions = new Map(places.map((at, position) => [rows[at] ?? 0, position]))
  return {
    points: Uint16Array.from(
      places.flatMap((at) => [points[2 * at] ?? 0, points[2 * at + 1] ?? 0]),
    ),
    traits: traits.map(({ name, rows: own }) => ({
      name,
      rows: Uint32Array.from(
        [...own].flatMap((row) => {
          const position = positions.get(row)
          return position === undefined ? [] : [position]
        }),
      ),
    })),
  }
}

/** The family of tags that distinguishes a work from others, as the page colours its tile (web/lib/families.ts). */
function createFamilies(tags: readonly TagWords[]) {
  const familyOf = new Map(tags.map(({ tag, family }) => [tag, family]))
  const sizes = new Map<string, number>()
  for (const { family } of tags)
    if (family !== undefined) sizes.set(family, (sizes.get(family) ?? 0) + 1)
  const names = [...sizes].sort(([, one], [, other]) => other - one).map(([name]) => name)
  return {
    names,
    of(weights: Readonly<Record<string, number>>, id: number): number {
      const sums = names.map(() => 0)
      for (const [tag, weight] of Object.entries(weights)) {
        const family = familyOf.get(tag)
        const at = family === undefined ? -1 : names.indexOf(family)
        if (at === -1) continue
        sums[at] = (sums[at] ?? 0) + weight / Math.sqrt(sizes.get(family ?? '') ?? 1)
      }
      const best = sums.indexOf(Math.max(...sums))
      return sums[best] === 0 ? id % names.length : best
    },
  }
}

/** Tags and genres with their works; a genre that says what a tag says counts once. */
export function traitsOf(facts: Pick<RowFacts, 'listsOf'>, tags: readonly TagWords[]): Trait[] {
  const names = new Map(tags.map(({ tag, name }) => [tag, name]))
  const traits = new Map<string, Trait>()
  for (const { kind, value, rows, weights } of [
    ...facts.listsOf('genre'),
    ...facts.listsOf('tag'),
  ]) {
    const name = kind === 'tag' ? (names.get(value) ?? value) : value.toLowerCase()
    if (traits.has(name) && kind === 'genre') continue
    const degrees =
      weights === null ? undefined : Float32Array.from(weights, (weight) => tagDegrees[weight] ?? 1)
    traits.set(name, { name, rows, degrees })
  }
  return [...traits.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}
