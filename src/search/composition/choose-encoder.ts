/** Which encoder /search uses where `--search-encoder` leaves the choice. */
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../../data/catalogue/open-catalogue.js'
import type { IndexSettings, ServerSettings } from '../../base/config/settings.js'
import { findEmbeddings, findTokenLists, type EmbeddingsLocation } from '../index/open-index.js'
import {
  builtinModel,
  builtinTransformer,
  languagesModel,
  type ModelsLocation,
  type ResolvedModel,
} from '../../models/registry/registry.js'
import { requireInstalled, resolveModel } from '../../models/registry/resolve-model.js'
import type { ChosenLanguages } from './compare-languages.js'
import { autoEncoder } from '../ranking/search-encoder.js'

export type ChoiceSettings = Pick<ServerSettings, 'dataDir' | 'searchEncoder'> &
  EmbeddingsLocation &
  ModelsLocation &
  Partial<Pick<IndexSettings, 'index'>>

/** The transformer, where it has vectors of every work; else the model that is always there. */
export async function chooseEncoder(settings: ChoiceSettings): Promise<string> {
  const { searchEncoder } = settings
  if (searchEncoder !== autoEncoder) return searchEncoder
  const lacking = await datasetsToEmbed(settings)
  return lacking === undefined || lacking.length > 0 ? builtinModel : builtinTransformer
}

/**
 * What a server embeds in the background next: what /search cannot do without, then the works for the better encoder.
 * Undefined where all is there, or where nothing is embedded automatically.
 */
export async function nextToEmbed(
  settings: ChoiceSettings,
): Promise<{ readonly model: string; readonly datasets: readonly DatasetName[] } | undefined> {
  if (settings.searchEncoder !== autoEncoder || settings.index === 'opensearch') return undefined
  const lacking = await datasetsWithout(settings, requireInstalled(builtinModel, settings))
  if (lacking.length > 0) return { model: builtinModel, datasets: lacking }
  const datasets = (await datasetsToEmbed(settings)) ?? []
  if (datasets.length > 0) return { model: builtinTransformer, datasets }
  const others = (await datasetsOfLanguages(settings)) ?? []
  return others.length > 0 ? { model: languagesModel, datasets: others } : undefined
}

/** The model of other languages, where it has vectors of every work; else the command that gets there. */
export async function chooseLanguages(settings: ChoiceSettings): Promise<ChosenLanguages> {
  const lacking = await datasetsOfLanguages(settings)
  if (lacking === undefined) return { remedy: `synoptic models pull ${languagesModel}` }
  if (lacking.length === 0) return { encoder: languagesModel }
  return { remedy: `synoptic embed build --model ${languagesModel}` }
}

/** The datasets that the model of other languages has no vectors of; undefined where it is not there. */
async function datasetsOfLanguages(
  settings: ChoiceSettings,
): Promise<readonly DatasetName[] | undefined> {
  const model = resolveModel(languagesModel, settings)
  return model.installed ? datasetsWithout(settings, model) : undefined
}

/**
 * The datasets that the transformer has no vectors of, or old ones. Undefined where it is not to be used: another
 * encoder is set, its files are not there, or vectors lie in a search engine, where nothing is embedded unasked.
 */
async function datasetsToEmbed(
  settings: ChoiceSettings,
): Promise<readonly DatasetName[] | undefined> {
  const { searchEncoder, index } = settings
  const transformer = resolveModel(builtinTransformer, settings)
  if (searchEncoder !== autoEncoder || index === 'opensearch' || !transformer.installed)
    return undefined
  return datasetsWithout(settings, transformer)
}

async function datasetsWithout(
  settings: ChoiceSettings,
  model: ResolvedModel,
): Promise<readonly DatasetName[]> {
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  // The ranker compares the tokens of the built-in model.
  const find = model.name === builtinModel ? findTokenLists : findEmbeddings
  try {
    const datasets = catalogue.datasets()
    const checks = datasets.map((dataset) => find(settings, dataset, model))
    const results = await Promise.allSettled(checks)
    return datasets.filter((_, i) => results[i]?.status === 'rejected').map(({ name }) => name)
  } finally {
    catalogue.close()
  }
}
