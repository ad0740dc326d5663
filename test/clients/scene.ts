/** Servers on the sample, as the clients call them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { synoptic } from '../helpers/run-cli.js'
import { startServer } from '../serve/child.js'
import { importSample } from '../serve/sample.js'

export interface ClientScene {
  readonly folder: string
  /** One more server of this data; answers its address. */
  start(words?: readonly string[]): Promise<string>
}

/** Its servers stop after the file's tests. */
export async function openClientScene(): Promise<ClientScene> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-clients-'))
  await importSample(folder)
  const servers: Awaited<ReturnType<typeof startServer>>[] = []
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    rmSync(folder, { recursive: true })
  })
  return {
    folder,
    async start(words = []) {
      const server = await startServer(folder, ['--workers', '1', ...words])
      servers.push(server)
      return server.origin
    },
  }
}

/** All routes are served with it. */
export const allRoutes = ['--feedback', 'feedback.jsonl', '--analytics', 'searches.jsonl']

/** A key of the file keys.json. */
export function addKey(folder: string): string {
  const words = ['keys', 'add', 'test', '--api-keys', 'keys.json', '--scopes', 'search,write']
  const { stdout, stderr } = synoptic(words, { cwd: folder })
  const [key] = /\bsyn\S+/.exec(stdout) ?? []
  if (key === undefined) throw new Error(stdout + stderr)
  return key
}
