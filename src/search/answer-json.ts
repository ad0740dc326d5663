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
  const end = `],"pagination":${JSON.stringify(pagination)},"meta":${JSON.stringify(meta)}}`
  const heads = results.map(({ rank, similarity, explain }, position) => {
    const separator = position === 0 ? '' : ','
    const parts = explain === undefined ? '' : `"explain":${JSON.stringify(explain)},`
    return `${separator}{"rank":${rank},"similarity":${similarity},${parts}`
  })
  const tails = results.map(({ listStatus }) =>
    listStatus === undefined ? '}' : `,"listStatus":${JSON.stringify(listStatus)}}`,
  )
  const size = results.reduce(
    (sum, { members }, position) =>
      sum + (heads[position]?.length ?? 0) + members.length + (tails[position]?.length ?? 0),
    begin.length + Buffer.byteLength(end),
  )
  const body = Buffer.allocUnsafe(size)
  let offset = body.write(begin, 'latin1')
  for (const [position, { members }] of results.entries()) {
    offset += body.write(heads[position] ?? '', offset, 'latin1')
    body.set(members, offset)
    offset += members.length
    offset += body.write(tails[position] ?? '', offset, 'latin1')
  }
  body.write(end, offset)
  return body
}

const begin = '{"results":['
