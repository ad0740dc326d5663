/** The answer of a search as bytes of JSON: entries are copied in as they are kept. */
import type { Explanation } from './modes.js'
import type { DescriptionAnswer, DescriptionResult } from './service.js'

/** What the bytes say. */
export interface AnswerJson extends Pick<DescriptionAnswer, 'pagination' | 'meta'> {
  readonly results: readonly ResultJson[]
}

export interface ResultJson {
  /** From 1, over all pages. */
  readonly rank: number
  /** Cosine of the description and the best synopsis; null where words alone found the entry. */
  readonly similarity: number | null
  /** What the rank is made of; absent where that is the similarity alone. */
  readonly explain?: Explanation
  /** The column of that synopsis. */
  readonly column: string
  readonly synopsis: string | null
  readonly id: number
  readonly title: string
  readonly type: string | null
  readonly genres: readonly string[]
  readonly year: number | null
  /** What its users give it on average, 0 to 10. */
  readonly score: number | null
  /** The user's list that it is on; absent where no AniList access token is set. */
  readonly listStatus?: string | null
  /** Further metadata of the entry. */
  readonly [name: string]: unknown
}

/** What an answer is made of, whatever its meta says. */
export interface Answer {
  readonly results: readonly DescriptionResult[]
  readonly pagination: object
  readonly meta: object
}

export function answerJson(answer: Answer): Uint8Array<ArrayBuffer> {
  const { results, pagination, meta } = answer
  // What stands before the members of each result, the end of the one before it included: ASCII.
  const heads: string[] = []
  let open = '{"results":['
  let size = 0
  for (const { rank, similarity, explain, listStatus, entryJsonFragment } of results) {
    const parts = explain === undefined ? '' : `"explain":${JSON.stringify(explain)},`
    const head = `${open}{"rank":${rank},"similarity":${similarity},${parts}`
    heads.push(head)
    size += head.length + entryJsonFragment.length
    open = listStatus === undefined ? '},' : `,"listStatus":${JSON.stringify(listStatus)}},`
  }
  const closed = results.length === 0 ? open : open.slice(0, -1)
  const end = `${closed}],"pagination":${JSON.stringify(pagination)},"meta":${JSON.stringify(meta)}}`
  const body = Buffer.allocUnsafe(size + Buffer.byteLength(end))
  let offset = 0
  for (const [position, { entryJsonFragment }] of results.entries()) {
    offset += body.write(heads[position] ?? '', offset, 'latin1')
    body.set(entryJsonFragment, offset)
    offset += entryJsonFragment.length
  }
  body.write(end, offset)
  return body
}
