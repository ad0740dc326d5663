/** A server on the sample, with fine-tuned models sound and broken. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { fixtures } from '../encoders/cross-models.js'
import { sharedServer } from '../helpers/shared.js'
import { importSample } from './sample.js'

export interface Answer {
  readonly results: readonly {
    readonly id: number
    readonly title: string
    readonly score: number
    readonly synopsis: string
  }[]
  readonly execution_time_ms: number
  readonly device_used: string
  readonly candidates_scored: number
  readonly entries_total: number
  readonly warnings?: readonly string[]
  readonly nothingFits?: { readonly remember: readonly string[] }
  readonly interpretation?: {
    readonly readings: readonly {
      readonly begin: number
      readonly end: number
      readonly kind: string
      readonly label: string
      readonly excluded: boolean
      readonly confidence: number
    }[]
    readonly text: string
    readonly explained: number
    readonly unknownNames?: readonly string[]
  }
}

export const notebook = 'a student finds a notebook that kills anyone whose name he writes in it'

/** Several files read it. */
export async function openSearchScene() {
  const words = ['--workers', '1', '--rate-limit', '0']
  const { origin, folder } = await sharedServer('search', words, prepare)

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    })

  async function search(parameters = '', body: object = { query: notebook }, dataset = 'anime') {
    const response = await post(`/search/${dataset}${parameters}`, body)
    const answer = (await response.json()) as Answer
    expect(response.status, JSON.stringify(answer)).toBe(200)
    return answer
  }

  async function get(path: string) {
    return (await (await fetch(`${origin}${path}`)).json()) as Record<string, unknown>
  }

  /** What is wrong; the body is that of every error, and names no folder and no query. */
  async function problemOf(response: Response) {
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    const body = (await response.json()) as Record<string, unknown>
    expect(body).toMatchObject({ status: response.status, error: body.detail })
    expect(body.requestId).toBe(response.headers.get('x-request-id'))
    expect(JSON.stringify(body)).not.toContain(folder)
    expect(JSON.stringify(body)).not.toContain('notebook')
    const errors = body.errors as { path: string; message: string }[]
    return { status: response.status, kind: String(body.type).split(':').at(-1), errors }
  }

  const outside = join(folder, 'models', 'outside')
  return { origin, fineTuned: fineTunedOf(folder), outside, post, search, get, problemOf }
}

const fineTunedOf = (folder: string) => join(folder, 'models', 'fine-tuned')

async function prepare(folder: string): Promise<void> {
  await importSample(folder)
  const fineTuned = fineTunedOf(folder)
  mkdirSync(fineTuned, { recursive: true })
  const copy = (name: string, place: string) =>
    cpSync(join(fixtures, name), place, { recursive: true })
  copy('bert', join(fineTuned, 'sound'))
  copy('xlm-roberta', join(fineTuned, 'older-layout'))
  copy('bert-three-labels', join(fineTuned, 'three-labels'))
  copy('../encoders/bert', join(fineTuned, 'vectors'))
  copy('bert', join(fineTuned, 'broken'))
  writeFileSync(join(fineTuned, 'broken', 'onnx', 'model.onnx'), 'no network')
  copy('bert', join(folder, 'models', 'outside'))
  symlinkSync('../outside', join(fineTuned, 'leads-out'))
}
