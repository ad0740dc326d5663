import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Whether the system lets nobody shrink, write to or remove a file that a process maps. */
export const guardsMappedFiles = process.platform === 'win32'

/** A folder that is removed after the tests of the file. Where mapped files are guarded, those of open collections stay. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `synoptic-${name}-`))
  afterAll(() => {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      if (!guardsMappedFiles) throw error
    }
  })
  return folder
}
