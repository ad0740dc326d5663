/** Reads a JSON body: checks its type and size before it reads, then checks it against its schema. */
import * as v from 'valibot'
import {
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '../../base/errors/index.js'
import type { AppContext } from './env.js'
import { bodyProblemsOf } from '../problems/problem-paths.js'
import { readBody } from './read-body.js'

interface ReadOptions {
  /** The setting of the limit, where it is not `--body-limit`. */
  readonly setting?: string
  /** Called with what was sent before its schema checks it; throws where it must not be checked. */
  readonly inspect?: (value: unknown) => void
}

/** @throws UnsupportedMediaTypeError, PayloadTooLargeError, ValidationError, ClientGoneError, OverloadedError */
export async function readJson<Schema extends v.GenericSchema>(
  c: AppContext,
  schema: Schema,
  limitBytes: number,
  { setting, inspect }: ReadOptions = {},
): Promise<v.InferOutput<Schema>> {
  requireJson(c)
  const tooLarge = () => new PayloadTooLargeError(limitBytes, setting)
  const value = parse(decode(await readBody(c, limitBytes, tooLarge)))
  inspect?.(value)
  const checked = v.safeParse(schema, c.get('ids')?.fromBody(value) ?? value, {
    abortPipeEarly: true,
  })
  if (checked.success) return checked.output
  throw new ValidationError(bodyProblemsOf(checked.issues))
}

function requireJson(c: AppContext): void {
  const type = c.req.header('content-type')
  if (type === undefined || !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new UnsupportedMediaTypeError('Expected the header Content-Type: application/json.')
  }
  const encoding = c.req.header('content-encoding')
  if (encoding !== undefined && encoding !== 'identity') {
    throw new UnsupportedMediaTypeError('Expected a body without Content-Encoding.', 'identity')
  }
}

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new ValidationError([{ path: '', message: 'expected UTF-8' }])
  }
}

function parse(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const message = `expected JSON, received ${notJson(text, String(error))}`
    throw new ValidationError([{ path: '', message }])
  }
  // valibot accepts an array as an object without members.
  if (!Array.isArray(value)) return value
  const message = 'expected a JSON object, received an array'
  throw new ValidationError([{ path: '', message }])
}

/** The parser's own message quotes the text. Only the position is returned, where it names one. */
function notJson(text: string, complaint: string): string {
  if (text === '') return 'nothing'
  const position = /at position (\d+)/.exec(complaint)?.[1]
  return position === undefined ? 'something else' : `something else at position ${position}`
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
