/** A server on the sample in a folder of its own; the folder is made once and copied. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
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

let begun: Promise<string> | undefined
let scenes = 0

/** A folder with the sample. */
export async function begunFolder(): Promise<string> {
  begun ??= (async () => {
    const folder = mkdtempSync(join(scratch, 'begun-'))
    await importSample(folder)
    return folder
  })()
  const folder = join(scratch, `scene-${(scenes += 1)}`)
  cpSync(await begun, folder, { recursive: true })
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
