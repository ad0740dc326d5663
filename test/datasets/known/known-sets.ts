/** Files in the formats of public data sets, made once for a file of tests. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

const script = fileURLToPath(new URL('../../../tools/make-public-sets.js', import.meta.url))

export interface KnownSets {
  readonly folder: string
  readonly path: (name: string) => string
  readonly text: (name: string) => string
}

export function makeKnownSets(entries: number): KnownSets {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-known-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  execFileSync(process.execPath, [script, folder, String(entries)])
  const path = (name: string) => join(folder, name)
  return { folder, path, text: (name) => readFileSync(path(name), 'utf8') }
}
