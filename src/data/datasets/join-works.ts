/**
 * The included works, as a source that adds to the works of the others and makes none: facts that they lack, tags,
 * other titles, franchise, and texts in columns of their own. What another source says stays as it is.
 */
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Origin, WorkDataset } from '../catalogue/catalogue.js'
import { includedSynopsis } from '../catalogue/text-kinds.js'
import type { Input } from './input.js'
import { readMapping } from './mapping.js'
import { matchTitles } from './match-titles.js'
import { addRow, type RowKey, type Work } from './work.js'

export interface WorksJoined {
  readonly byId: number
  readonly byTitle: number
  /** Built-in works that no source has. */
  readonly notFound: number
}

const folder = new URL('../../../data/works/', import.meta.url)

/** Whose data a mapping of theirs reads; undefined for another file. */
export const worksOrigin = (file: string): Origin | undefined =>
  dirname(file) === dirname(fileURLToPath(new URL('anime.json', folder)))
    ? {
        name: 'the included works',
        url: 'data/works/README.md',
        licence: 'Apache License 2.0',
        licenceUrl: 'https://www.apache.org/licenses/LICENSE-2.0',
        attribution:
          'Language models wrote the texts for Synoptic; data/works/README.md says where the facts come from.',
        state: null,
      }
    : undefined

/** Their file, with a mapping of what they add. */
export async function shippedWorks(dataset: WorkDataset): Promise<Input> {
  const mapping = await readMapping(fileURLToPath(new URL(`${dataset}.json`, folder)))
  const { popularity, ...fields } = mapping.fields
  const { synopsis = '', ...others } = mapping.texts
  const texts = { [includedSynopsis]: synopsis, ...others }
  return {
    file: fileURLToPath(new URL(mapping.file, folder)),
    // Ranks among the included works are not ranks among all works.
    mapping: { ...mapping, fields: popularity === undefined ? mapping.fields : fields, texts },
  }
}

/** Adds each row to the work that a site knows by the same id, else to that of the same title, type and year. */
export function joinWorks(works: readonly Work[], rows: readonly RowKey[]): WorksJoined {
  const byId = matchSiteIds(works, rows)
  const taken = new Set(byId.values())
  const hasAnilistIds = rows.some(({ anilistId }) => anilistId !== null)
  // A work with an id of its own that no row has is another work, whatever its title.
  const free = works.filter(
    (work) =>
      !taken.has(work) && work.malId === null && !(hasAnilistIds && work.anilistId !== null),
  )
  const { workOf: byTitle } = matchTitles(
    free,
    rows.filter((row) => !byId.has(row)),
  )
  for (const [row, work] of [...byId, ...byTitle]) addRow(work, row)
  return {
    byId: byId.size,
    byTitle: byTitle.size,
    notFound: rows.length - byId.size - byTitle.size,
  }
}

function matchSiteIds(works: readonly Work[], rows: readonly RowKey[]): Map<RowKey, Work> {
  const byMal = new Map<number | null, Work>()
  const byAnilist = new Map<number | null, Work>()
  // Of two works with one id the first counts.
  for (const work of works.toReversed()) {
    byMal.set(work.malId, work)
    byAnilist.set(work.anilistId, work)
  }
  const workOf = new Map<RowKey, Work>()
  const taken = new Set<Work>()
  for (const row of rows) {
    const { malId, anilistId } = row
    const work =
      (malId === null ? undefined : byMal.get(malId)) ??
      (anilistId === null ? undefined : byAnilist.get(anilistId))
    if (work === undefined || taken.has(work)) continue
    taken.add(work)
    workOf.set(row, work)
  }
  return workOf
}
