/** The response of a search as bytes of JSON. The cached bytes of each entry are copied into it. */
import type { DatasetInfo } from '../../data/catalogue/catalogue.js'
import type { TitleLanguage } from '../../data/catalogue/shown-title.js'
import type { Explanation } from '../../search/service/modes.js'
import { toMicroseconds } from '../../base/util/microseconds.js'
import type { EntryJson } from './entry-json.js'

/** A result as the search returns it: all but its entry. */
interface Hit {
  readonly rank: number
  readonly similarity: number | null
  readonly explain?: Explanation | undefined
  readonly listStatus?: string | null | undefined
  readonly row: number
  readonly column: number
}

/**
 * Returns the JSON of the hits' entries, see EntryJson, and the timings with the time that this took.
 * @param titles the language of their titles; romaji where absent
 */
export function hydrate<Timings extends { readonly totalMs: number }>(
  entries: EntryJson,
  found: {
    readonly dataset: DatasetInfo
    readonly results: readonly Hit[]
    readonly timings: Timings
  },
  titles?: TitleLanguage,
) {
  const begunMs = performance.now()
  const members = found.results.map(({ row, column }) =>
    entries.entryJsonFragment(found.dataset, row, column, titles),
  )
  const hydrateMs = toMicroseconds(performance.now() - begunMs)
  const { totalMs, ...phases } = found.timings
  const timings = { ...phases, hydrateMs, totalMs: toMicroseconds(totalMs + hydrateMs) }
  return { members, timings }
}

/** @param members of each result's entry */
export function searchJson(
  results: readonly Hit[],
  members: readonly Uint8Array[],
  pagination: object,
  meta: object,
): Uint8Array<ArrayBuffer> {
  // The bytes before the members of each result, with the end of the result before it: ASCII.
  const openings: string[] = []
  let open = '{"results":['
  let size = 0
  for (const [position, { rank, similarity, explain, listStatus }] of results.entries()) {
    const explained = explain === undefined ? '' : `"explain":${JSON.stringify(explain)},`
    const opening = `${open}{"rank":${rank},"similarity":${similarity},${explained}`
    openings.push(opening)
    size += opening.length + (members[position]?.length ?? 0)
    open = listStatus === undefined ? '},' : `,"listStatus":${JSON.stringify(listStatus)}},`
  }
  const closed = results.length === 0 ? open : open.slice(0, -1)
  const end = `${closed}],"pagination":${JSON.stringify(pagination)},"meta":${JSON.stringify(meta)}}`
  const body = Buffer.allocUnsafe(size + Buffer.byteLength(end))
  let offset = 0
  for (const [position, entry] of members.entries()) {
    offset += body.write(openings[position] ?? '', offset, 'latin1')
    body.set(entry, offset)
    offset += entry.length
  }
  body.write(end, offset)
  return body
}

/** The answers to a batch, each as bytes of JSON. */
export function joinAnswers(answers: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const parts = answers.flatMap((answer, i) => [i === 0 ? opening : comma, answer])
  return Buffer.concat([...parts, closing])
}

const opening = Buffer.from('{"answers":[')
const comma = Buffer.from(',')
const closing = Buffer.from(']}')
