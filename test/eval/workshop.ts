/** A folder with a catalogue, a tiny model and its embeddings, and the command. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatasetContents } from '#synoptic/data/catalogue/contents.js'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { buildEmbeddings } from '#synoptic/data/embed/build.js'
import { createNamedEncoders } from '../helpers/named-encoders.js'
import { afterAll } from 'vitest'
import { build } from '../catalogue/shelf.js'
import { synopticHere, type Ended } from '../helpers/run-here.js'
import { writeTinyModel } from '../helpers/tiny-model.js'

export const model = 'fine_tuned_sbert_anime_model'

export interface Workshop {
  readonly folder: string
  /** `synoptic eval` with the workshop's folders. */
  evaluate(...words: readonly string[]): Promise<Ended>
  /** Embeds the catalogue with the tiny model. */
  embed(): Promise<void>
}

export function openWorkshop(...datasets: readonly DatasetContents[]): Workshop {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-eval-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const [modelsDir, embeddingsDir] = [join(folder, 'models'), join(folder, 'embeddings')]
  const modelFolder = join(modelsDir, model)
  const file = join(folder, 'catalogue.sqlite')
  build(file, ...datasets)
  writeTinyModel(modelFolder)
  const flags = ['--data-dir', folder, '--models-dir', modelsDir, '--embeddings-dir', embeddingsDir]
  return {
    folder,
    evaluate: (...words) => synopticHere(['eval', ...words, ...flags]),
    async embed() {
      const encoders = createNamedEncoders({ modelsDir, threads: 1 })
      const catalogue = openCatalogue(file)
      const encoder = await encoders.get(model)
      for (const { name: dataset } of catalogue.datasets()) {
        await buildEmbeddings({ catalogue, encoder, modelFolder, dataset, embeddingsDir })
      }
      catalogue.close()
      await encoders.close()
    },
  }
}
