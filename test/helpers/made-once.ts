/** Folders that take long to make: the first file of a run that needs one makes it, and everybody gets a copy. */
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { withBuildLock } from '#synoptic/base/util/build-lock.js'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where they are made; test/global-setup.ts removes it after the run. */
    madeOnce: string
    /** Where test/helpers/starter.ts answers. */
    starter: string
  }
}

export async function copyMadeOnce(
  name: string,
  folder: string,
  make: (folder: string) => Promise<void>,
): Promise<void> {
  cpSync(await makeOnce(name, make), folder, { recursive: true })
}

/** The folder itself, in which nobody may write afterwards. */
export async function makeOnce(
  name: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const made = join(inject('madeOnce'), name)
  const makeUnlessThere = async () => {
    if (existsSync(made)) return
    const begun = `${made}.begun`
    rmSync(begun, { recursive: true, force: true })
    await make(begun)
    renameSync(begun, made)
  }
  while (!existsSync(made)) {
    await withBuildLock(made, makeUnlessThere)
    await sleep(50)
  }
  return made
}
