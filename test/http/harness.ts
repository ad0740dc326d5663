/** The real app over small datasets, called directly or through a socket. */
import { workDatasets } from '#synoptic/data/catalogue/dataset.js'
import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import pino from 'pino'
import type { MapData } from '#synoptic/search/map/map-data.js'
import { serverSettings, type ServerSettings } from '#synoptic/base/config/settings.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { createBrowse } from '#synoptic/search/browse/browse.js'
import { createKnowledge } from '#synoptic/search/knowledge/dataset-knowledge.js'
import { createAdmission } from '#synoptic/server/http/admission.js'
import { createApp } from '#synoptic/server/http/app.js'
import { createEntryJson } from '#synoptic/server/http/entry-json.js'
import type { AppServices } from '#synoptic/server/http/services.js'
import { listen, type HttpServer } from '#synoptic/server/http/server.js'
import { createMemoryStore } from '#synoptic/server/http/limits/memory-store.js'
import { createRateLimits, type RateLimits } from '#synoptic/server/http/limits/rate-limits.js'
import { limitedGroups } from '#synoptic/server/http/limits/rate-window.js'
import { textOf } from '#synoptic/server/metrics/merge.js'
import { createMetrics } from '#synoptic/server/metrics/metrics.js'
import { builtinModel, listModels } from '#synoptic/models/registry/registry.js'
import { fineTunedFolder } from '#synoptic/models/registry/fine-tuned.js'
import { createModelList } from '#synoptic/models/registry/model-list.js'
import { deferred } from '../search/deferred.js'
import { createWorld, model, type World } from '../search/world.js'

export interface TestApp {
  readonly app: ReturnType<typeof createApp>
  readonly world: World
  readonly settings: ServerSettings
  readonly rateLimits: RateLimits
  /** Every line of the log, parsed. */
  readonly log: Record<string, unknown>[]
}

/** No rate limit unless the test sets one; its clock does not move, so no window ends. */
export function createTestApp(
  changes: Partial<ServerSettings> = {},
  services: Partial<AppServices> = {},
): TestApp {
  const { settings: defaults } = readSettings(serverSettings, ['--rate-limit=0', '--port=0'], {})
  const settings = { ...defaults, host: '127.0.0.1', ...changes }
  const world = createWorld()
  const log: Record<string, unknown>[] = []
  const metrics = createMetrics('1')
  const rateStores = new Map(
    limitedGroups(settings).map(({ group, windowMs }) => [
      group,
      createMemoryStore({ windowMs, now: () => 0 }),
    ]),
  )
  const all: AppServices = {
    datasets: workDatasets,
    search: world.search,
    browse: createBrowse({
      catalogue: world.catalogue,
      knowledge: createKnowledge(world.catalogue),
    }),
    maps: { read: () => Promise.resolve(smallMap) },
    entries: createEntryJson(world.catalogue),
    health: { report: () => healthy },
    models: [model, builtinModel, 'encoders/all-MiniLM-L6-v2'],
    modelList: createModelList({
      categories: {
        'Similarity models': { list: () => listModels(settings), endpoints: ['/searchmodel'] },
      },
      fineTunedDir: fineTunedFolder(settings),
      fineTunedEndpoints: ['/search'],
    }),
    logger: pino({ level: 'trace' }, linesTo(log)),
    settings,
    metrics,
    metricsText: () => textOf(metrics),
    rateLimits: createRateLimits(settings, rateStores),
    admission: createAdmission({
      limit: settings.limitConcurrency,
      timeoutSeconds: settings.requestTimeout,
    }),
    ...services,
  }
  return { app: createApp(all), world, settings, rateLimits: all.rateLimits, log }
}

export async function withServer<T>(
  changes: Partial<ServerSettings>,
  task: (server: HttpServer & TestApp) => Promise<T>,
  services: Partial<AppServices> = {},
): Promise<T> {
  const test = createTestApp(changes, services)
  const server = await listen(test.app, test.settings)
  try {
    return await task({ ...test, ...server })
  } finally {
    await server.stop(0)
  }
}

/** Of one work; test/map serves real ones. */
const smallMap = {
  bytes: gzipSync(
    JSON.stringify({
      dataset: 'anime',
      model: builtinModel,
      extent: 65_535,
      unplaced: 0,
      families: ['theme'],
      works: {
        id: [1],
        title: ['Death Note'],
        english: [''],
        native: ['デスノート'],
        year: [2006],
        family: [0],
        x: [7],
        y: [9],
      },
      regions: [{ level: 0, x: 7, y: 9, words: ['dark'], works: 12 }],
    } satisfies MapData),
  ),
  sha256: '0'.repeat(64),
}

export const healthy = {
  status: 'ok',
  reasons: [],
  damaged: [],
  version: '0.0.0',
  cuda_available: false,
  cuda_reason: 'searches: no device; models: no libraries',
  cuda_searches: { available: false, reason: 'no device' },
  cuda_models: { available: false, reason: 'no libraries' },
  devices: ['cpu'],
  kernel: 'none',
  models_loaded: [],
  last_reload: null,
  datasets: {},
} as const

/** A JSON POST straight into the app. */
export function post({ app }: TestApp, path: string, body: unknown, headers = {}) {
  return app.request(path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

export const question = { model, description: 'a robot goes to school in the rain' }

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** One request over a socket. */
export function send(
  { address }: HttpServer,
  options: RequestOptions & { body?: string | Buffer },
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port: address.port, agent: false, ...options },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const { statusCode = 0, headers } = incoming
          resolve({ status: statusCode, headers, body: Buffer.concat(chunks).toString() })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
}

export const ask = (server: HttpServer, headers = {}) =>
  send(server, {
    method: 'POST',
    path: '/searchmodel/anime',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(question),
  })

/** Tries again where its time was up before the encoder had it: a machine may stop for a while. */
export async function askUntilEncoding(
  server: HttpServer & TestApp,
  headers = {},
): Promise<Received> {
  for (;;) {
    const response = await ask(server, headers)
    if (server.world.encoder.encoded.length > 0) return response
  }
}

/** Bytes as they are; resolves with all that came back when the server closes the connection. */
export function sendBytes({ address }: HttpServer, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(address.port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (received += text))
    // A client that is still sending when the server closes gets its answer all the same.
    socket.on('error', (error) => (received === '' ? reject(error) : undefined))
    socket.on('close', () => resolve(received))
  })
}

function linesTo(log: Record<string, unknown>[]): Writable {
  return new Writable({
    write(chunk: Buffer, _, done) {
      log.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
      done()
    },
  })
}

/** Lets every request of this world wait until it is called. */
export function holdEncoder({ world }: TestApp): () => void {
  const held = deferred()
  world.encoder.hold = held.promise
  return held.resolve
}

/** Long enough for a machine that stops for a while; a test that never gets there fails with `what`. */
const untilTimeoutMs = 20_000

/** Resolves when the condition holds. @throws where that takes too long */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const endMs = performance.now() + untilTimeoutMs
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`waited ${untilTimeoutMs} ms until ${what}`)
    await sleep(5)
  }
}

/** Resolves when the encoder has received so many texts. */
export const untilEncoding = ({ world }: TestApp, count = 1) =>
  until(`the encoder has ${count} texts`, () => world.encoder.encoded.length >= count)
