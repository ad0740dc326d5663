/** Before each file of tests: whatever it and its processes leave in the system's folder goes with it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, inject } from 'vitest'

const names = ['TMPDIR', 'TMP', 'TEMP'] as const
const before = names.map((name) => process.env[name])
// Not in what another file of the same thread has set, which `vitest list` leaves there.
const folder = mkdtempSync(join(inject('madeOnce'), 'file-'))
for (const name of names) process.env[name] = folder
afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  // The next file may run in the same thread.
  names.forEach((name, i) => {
    const value = before[i]
    if (value === undefined) Reflect.deleteProperty(process.env, name)
    else process.env[name] = value
  })
})
