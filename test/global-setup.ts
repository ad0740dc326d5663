/** Before a run of tests: a folder for what several files need and takes long to make, and what starts what they share. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openStarter } from './helpers/starter.js'

export default async function setup({
  provide,
  config,
}: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-run-'))
  const starter = await openStarter(config.env)
  provide('madeOnce', folder)
  provide('starter', starter.url)
  return async () => {
    await starter.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
