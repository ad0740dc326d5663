/** Before each file of tests: whatever it and its processes leave in the system's folder goes with it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-tests-'))
for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
