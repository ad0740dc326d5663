/** Before a run of tests: a folder for what several files need and takes long to make; it goes with the run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

export default function setup({ provide }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-made-once-'))
  provide('madeOnce', folder)
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
