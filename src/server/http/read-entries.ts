/** Reads an upload of entries: a JSON array, or JSON lines. All of it is checked before anything is written. */
import * as v from 'valibot'
import {
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  ValidationError,
  type Problem,
} from '../../base/errors/index.js'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import type { WrittenEntry } from '../../data/writes/operation.js'
import { inTurns } from '../../native/scheduling/in-turns.js'
import { bodyProblemsOf } from '../problems/problem-paths.js'
import { maxWrittenEntries, toWrittenEntry, writtenEntry } from '../schemas/writes.js'
import { withTextId } from '../../data/catalogue/text-ids.js'
import type { TextIds } from './entry-ids.js'
import type { AppContext } from './env.js'
import { readBody } from './read-body.js'

/** What an answer names at most. */
const maxProblems = 50
const entriesPerTurn = 100

const lineTypes = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines)\s*(?:;|$)/i
const arrayTypes = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

export interface UploadOptions {
  readonly dataset: DatasetName
  readonly columns: readonly string[]
  readonly limitBytes: number
}

/** @throws UnsupportedMediaTypeError, PayloadTooLargeError, ValidationError, ClientGoneError, OverloadedError */
export async function readEntries(
  c: AppContext,
  { dataset, columns, limitBytes }: UploadOptions,
): Promise<readonly WrittenEntry[]> {
  const parse = parserOf(c)
  const tooLarge = () => new PayloadTooLargeError(limitBytes, '--write-body-limit')
  const values = parse(decode(await readBody(c, limitBytes, tooLarge)))
  if (values.length === 0 || values.length > maxWrittenEntries) {
    const message = `expected 1 to ${maxWrittenEntries} entries, received ${values.length}`
    throw new ValidationError([{ path: '', message }])
  }
  const problems: Problem[] = []
  const add = (more: readonly Problem[]) =>
    problems.push(...more.slice(0, maxProblems - problems.length))
  const checkColumns = createColumnCheck(columns)
  const firstOf = new Map<number, number>()
  const slices = Array.from({ length: Math.ceil(values.length / entriesPerTurn) }, (_, n) => n)
  const read = await inTurns(slices, (slice) => {
    const first = slice * entriesPerTurn
    return values.slice(first, first + entriesPerTurn).flatMap((value, i) => {
      const at = first + i
      const checked = check(value, c.get('ids'))
      if ('problems' in checked) {
        add(checked.problems.map((problem) => inEntry(at, problem)))
        return []
      }
      const { id, dataset: named = dataset, texts } = checked.output
      const earlier = firstOf.get(id)
      firstOf.set(id, earlier ?? at)
      if (earlier !== undefined)
        add([
          {
            path: `${at}.id`,
            message: `expected each id once, ${id} is that of entry ${earlier} too`,
          },
        ])
      if (named !== dataset)
        add([{ path: `${at}.dataset`, message: `expected ${dataset}, received ${named}` }])
      add(checkColumns(texts ?? {}).map((problem) => inEntry(at, problem)))
      const entry = toWrittenEntry(checked.output)
      return checked.textId === undefined ? entry : withTextId(entry, checked.textId)
    })
  })
  if (problems.length > 0) throw new ValidationError(problems)
  return read.flat()
}

type Checked =
  | { readonly problems: readonly Problem[] }
  | {
      readonly output: v.InferOutput<typeof writtenEntry>
      /** Where the dataset has texts for ids. */
      readonly textId: string | undefined
    }

function check(value: unknown, ids: TextIds | undefined): Checked {
  let withIntegers: unknown
  try {
    withIntegers = ids === undefined ? value : ids.fromBody(value)
  } catch (error) {
    if (error instanceof ValidationError) return { problems: error.problems }
    throw error
  }
  const checked = v.safeParse(writtenEntry, withIntegers, { abortPipeEarly: true })
  if (!checked.success) return { problems: bodyProblemsOf(checked.issues) }
  const { id } = value as { readonly id: unknown }
  return { output: checked.output, textId: ids === undefined ? undefined : String(id) }
}

/** Texts belong to the columns that the dataset has. */
export function createColumnCheck(
  columns: readonly string[],
): (texts: Readonly<Record<string, unknown>>) => Problem[] {
  const known = new Set(columns)
  return (texts) =>
    Object.keys(texts)
      .filter((column) => !known.has(column))
      .map((column) => ({
        path: `texts.${column.slice(0, 100)}`,
        message: `unknown column; the dataset has ${columns.join(', ')}`,
      }))
}

const inEntry = (at: number, { path, message }: Problem): Problem => ({
  path: path === '' ? String(at) : `${at}.${path}`,
  message,
})

function parserOf(c: AppContext): (text: string) => readonly unknown[] {
  const encoding = c.req.header('content-encoding')
  if (encoding !== undefined && encoding !== 'identity') {
    throw new UnsupportedMediaTypeError('Expected a body without Content-Encoding.', 'identity')
  }
  const type = c.req.header('content-type') ?? ''
  if (lineTypes.test(type)) return parseLines
  if (arrayTypes.test(type)) return parseArray
  throw new UnsupportedMediaTypeError(
    'Expected the header Content-Type: application/json for an array, or application/x-ndjson for JSON lines.',
  )
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new ValidationError([{ path: '', message: 'expected UTF-8' }])
  }
}

function parseArray(text: string): readonly unknown[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1]
    const where = position === undefined ? '' : ` at position ${position}`
    throw new ValidationError([
      { path: '', message: `expected JSON, received something else${where}` },
    ])
  }
  if (Array.isArray(value)) return value as unknown[]
  const message = 'expected an array of entries; JSON lines have Content-Type: application/x-ndjson'
  throw new ValidationError([{ path: '', message }])
}

/** Blank lines are none. */
function parseLines(text: string): readonly unknown[] {
  const values: unknown[] = []
  const problems: Problem[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      values.push(JSON.parse(line))
    } catch {
      problems.push({ path: String(values.length), message: `line ${at + 1} is not JSON` })
      if (problems.length === maxProblems) break
    }
  }
  if (problems.length > 0) throw new ValidationError(problems)
  return values
}
