/** A server on the sample in a folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import { startServer, type ServerChild } from '../serve/child.js'
import { importSample } from '../serve/sample.js'

export interface Scene extends ServerChild {
  readonly folder: string
}

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-faults-'))
/** Characters. */
const shownLog = 4000
const open: ServerChild[] = []
afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  // Of all but those that have ended well: also of one that all tests of a file share.
  for (const { child, output } of open)
    if (child.exitCode !== 0) console.error(output.stderr.slice(-shownLog))
})
afterAll(() => {
  for (const { child } of open) child.kill('SIGKILL')
  rmSync(scratch, { recursive: true, force: true })
})

/** For tests of anything but /search: a process starts in half the time where it need not read queries. */
export const withoutSearch = ['--enable-routes', 'searchmodel,browse,models,health,metrics']

let scenes = 0

/** A folder with the sample. */
export async function begunFolder(): Promise<string> {
  const folder = join(scratch, `scene-${(scenes += 1)}`)
  await importSample(folder)
  return folder
}

/** One process and no rate limit unless the words say otherwise. Shows its log where a test fails. */
export async function openScene(
  words: readonly string[] = [],
  nodeFlags: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<Scene> {
  const folder = await begunFolder()
  const all = ['--rate-limit', '0', '--workers', '1', ...words]
  const server = await startServer(folder, all, nodeFlags, environment)
  open.push(server)
  return { ...server, folder }
}

/** All that the server has logged; its lines come a moment after what they tell of. */
export const logOf = ({ output }: Scene) => output.stderr
