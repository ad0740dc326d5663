/** A folder of models under allowed names, and encoders over it that are closed after each test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type NamedEncoders, createNamedEncoders } from '../helpers/named-encoders.js'
import { afterEach } from 'vitest'
import { type TinyModel, writeTinyModel } from '../helpers/tiny-model.js'

export const tiny = 'fine_tuned_sbert_anime_model'
export const tinyStatic = 'fine_tuned_sbert_model_anime'

export interface Harness {
  readonly modelsDir: string
  readonly encoders: NamedEncoders
  /** Writes (over) a tiny model; answers its folder. */
  readonly write: (name: string, model?: TinyModel) => string
}

const harnesses: Harness[] = []

export function openHarness(): Harness {
  const modelsDir = mkdtempSync(join(tmpdir(), 'synoptic-models-'))
  const harness: Harness = {
    modelsDir,
    encoders: createNamedEncoders({ modelsDir, threads: 1 }),
    write(name, model) {
      const folder = join(modelsDir, name)
      rmSync(folder, { recursive: true, force: true })
      writeTinyModel(folder, model)
      return folder
    },
  }
  harnesses.push(harness)
  return harness
}

afterEach(async () => {
  for (const { encoders, modelsDir } of harnesses.splice(0)) {
    await encoders.close()
    rmSync(modelsDir, { recursive: true, force: true })
  }
})
