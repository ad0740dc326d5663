/** Fine-tuned models: the folders in one folder that hold a config.json. */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { isMissing } from '../encoders/model-files.js'

export interface FineTunedModel {
  /** Name of its folder. */
  readonly label: string
  /** What requests name it by: its folder, as the settings lead there. */
  readonly path: string
}

/** The settings say a folder that, where relative, lies in the folder of models. */
export const fineTunedFolder = (settings: {
  readonly modelsDir: string
  readonly fineTunedDir: string
}): string =>
  isAbsolute(settings.fineTunedDir)
    ? settings.fineTunedDir
    : join(settings.modelsDir, settings.fineTunedDir)

/** By label; none where there is no such folder. */
export async function listFineTuned(fineTunedDir: string): Promise<FineTunedModel[]> {
  let names: string[]
  try {
    names = await readdir(fineTunedDir)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
  return names
    .sort()
    .map((label) => ({ label, path: join(fineTunedDir, label) }))
    .filter(({ path }) => existsSync(join(path, 'config.json')))
}
