/** One endpoint, one clock, one log and a folder a test; all of it gone afterwards. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import {
  createAnilistClient,
  type AnilistClient,
  type AnilistClientOptions,
} from '#synoptic/data/anilist/client.js'
import { createFakeClock, createRecordedLog, type FakeClock, type RecordedLog } from './fakes.js'
import { startGraphqlServer, type GraphqlServer } from './graphql-server.js'

export interface Harness {
  server: GraphqlServer
  clock: FakeClock
  log: RecordedLog
  folder: string
  configPath: string
  /** Writes the configuration file: a text as it is, everything else as JSON. */
  configure(content: unknown): Promise<void>
  client(options?: Partial<AnilistClientOptions>): AnilistClient
}

/** To be called in a `describe` or at the top of a file; filled again before every test. */
export function useHarness(): Harness {
  const harness = {} as Harness
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'synoptic-anilist-'))
    const configPath = join(folder, 'config.json')
    const server = await startGraphqlServer()
    const clock = createFakeClock()
    const log = createRecordedLog()
    Object.assign(harness, {
      server,
      clock,
      log,
      folder,
      configPath,
      configure: (content: unknown) =>
        writeFile(configPath, typeof content === 'string' ? content : JSON.stringify(content)),
      client: (options: Partial<AnilistClientOptions> = {}) =>
        createAnilistClient({ url: server.url, configPath, clock, logger: log, ...options }),
    } satisfies Harness)
  })
  afterEach(async () => {
    await harness.server.close()
    await rm(harness.folder, { recursive: true })
  })
  return harness
}
