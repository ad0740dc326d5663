/** Collections and token indexes from the embeddings store: checked against catalogue and model, then mapped. */
import type { DatasetColumn, DatasetInfo } from '../../data/catalogue/catalogue.js'
import { openEmbeddings, requireTokens, type Embeddings } from '../../data/embed/open-embeddings.js'
import { EmbeddingsBrokenError, ModelLoadError, NativeError } from '../../base/errors/index.js'
import type { ResolvedModel } from '../../models/registry/registry.js'
import { modelRevision } from '../../models/format/revision.js'
import { openCollection } from '../../native/addon/index.js'
import { type MaxSimIndex, openMaxSim } from '../../native/addon/max-sim.js'
import { findTokenTable } from '../../data/embed/token-table.js'
import type { VectorIndex } from '../../native/addon/vector-index.js'

export interface EmbeddingsLocation {
  readonly embeddingsDir: string
  /** A column that is there and not opened. */
  readonly without?: DatasetColumn | undefined
  /** Whether vectors are searched elsewhere, and only token lists are read here. */
  readonly withoutMatrices?: boolean | undefined
}

/** Opens something of the embeddings of a dataset by a model. */
export type OpenEmbedded<T> = (dataset: DatasetInfo, model: ResolvedModel) => Promise<T>

/** Rejects with EmbeddingsMissingError, -StaleError or -BrokenError. */
export function createOpenCollection(location: EmbeddingsLocation): OpenEmbedded<VectorIndex> {
  return async (dataset, model) => {
    const embeddings = await findEmbeddings(location, dataset, model)
    return brokenWhereFilesAre(dataset, model, openCollection(embeddings))
  }
}

/** What maxsim compares a static model's texts by. Rejects with the same errors, or a ModelLoadError. */
export function createOpenTokenIndex(location: EmbeddingsLocation): OpenEmbedded<MaxSimIndex> {
  return async (dataset, model) => {
    const columns = await findTokenLists(location, dataset, model)
    const table = await findTokenTable(model.folder)
    if (table === undefined)
      throw new ModelLoadError(model.name, 'it has no table of token vectors')
    return brokenWhereFilesAre(dataset, model, openMaxSim({ table, columns }))
  }
}

/** An error of a file is one of the embeddings; any other is one of the program. */
async function brokenWhereFilesAre<T>(
  dataset: DatasetInfo,
  model: ResolvedModel,
  opening: Promise<T>,
): Promise<T> {
  try {
    return await opening
  } catch (error) {
    if (!(error instanceof NativeError) || error.file === undefined) throw error
    throw new EmbeddingsBrokenError(dataset.name, model.name, { cause: error })
  }
}

/** The token lists of a static model's embeddings. Checks versions and sizes, opens nothing. */
export const findTokenLists = async (
  location: EmbeddingsLocation,
  dataset: DatasetInfo,
  model: ResolvedModel,
) => requireTokens(await findEmbeddings(location, dataset, model))

/** Checks versions and sizes, opens nothing. */
export async function findEmbeddings(
  { embeddingsDir, without, withoutMatrices }: EmbeddingsLocation,
  dataset: DatasetInfo,
  { name: model, folder }: ResolvedModel,
): Promise<Embeddings> {
  const revision = await modelRevision(folder)
  const found = await openEmbeddings({ embeddingsDir, dataset, model, revision, withoutMatrices })
  if (without?.dataset !== dataset.name) return found
  return { ...found, columns: found.columns.toSpliced(without.column, 1) }
}
