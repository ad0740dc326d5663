/** Whether a folder holds a bi-encoder: its modules make one vector of a text. */
import { join } from 'node:path'
import * as v from 'valibot'
import { ModelFileError, readJsonIfThere } from './model-files.js'

/** False where the folder does not tell, as of cross-encoders in their older layout. */
export async function isBiEncoder(folder: string): Promise<boolean> {
  try {
    const modules = await readJsonIfThere(join(folder, 'modules.json'), modulesFile)
    return modules?.some(({ type }) => /\.(Pooling|StaticEmbedding)$/.test(type)) === true
  } catch (error) {
    if (error instanceof ModelFileError) return false
    throw error
  }
}

const modulesFile = v.array(v.object({ type: v.string() }))
