/** `synoptic eval --queries`: a table a kind of query, with what /search gains on other systems. */
import type { Catalogue, DatasetName } from '../data/catalogue/catalogue.js'
import { catalogueFile, openCatalogue } from '../data/catalogue/open-catalogue.js'
import { openSearch, type SearchSettings } from '../search/composition/open-search.js'
import { describeKinds, kindsJson } from '../search/eval/kinds-report.js'
import { kindSystems } from '../search/eval/kind-systems.js'
import { measureKinds } from '../search/eval/measure-kinds.js'
import { type KindQuery, readQueries } from '../search/eval/queries.js'
import { collectionStates } from '../data/embed/status.js'
import { replaceFile } from '../base/util/replace-file.js'
import { createEvalProgressBar } from './eval-progress.js'
import type { EvalOptions } from './eval-options.js'
import { print, printError } from './print.js'

export async function evaluateQueries(
  file: string,
  { dataset, json, namedModels }: Pick<EvalOptions, 'dataset' | 'json' | 'namedModels'>,
  settings: SearchSettings,
): Promise<number> {
  const queries = await readQueryFile(file, dataset, settings)
  if (queries.length === 0) return 1
  const models = namedModels ?? (await referenceModels(settings))
  const bar = createEvalProgressBar(queries.length * (builtinSystems + models.length))
  try {
    const measured = await measureKinds(
      queries,
      async (without, task) => {
        const search = await openSearch(settings, { without })
        try {
          await task(kindSystems(search, { models }))
        } finally {
          await search.close()
        }
      },
      bar.step,
    )
    bar.stop()
    print(describeKinds(measured))
    if (json !== undefined) replaceFile(json, kindsJson(measured))
  } finally {
    bar.stop()
  }
  return 0
}

/** /search, texts alone and bm25. */
const builtinSystems = 3

/** Reads the queries, and prints those that the catalogue has no answer of. */
export async function readQueryFile(
  file: string,
  dataset: DatasetName | undefined,
  { dataDir }: Pick<SearchSettings, 'dataDir'>,
): Promise<readonly KindQuery[]> {
  const catalogue = openCatalogue(catalogueFile(dataDir))
  try {
    const only = dataset ?? onlyDataset(catalogue)
    const { queries, missing } = await readQueries(file, catalogue, only)
    for (const line of missing) printError(`${line}; skipped\n`)
    return queries
  } finally {
    catalogue.close()
  }
}

/** Where there is one dataset only, nobody has to name it. */
export function onlyDataset(catalogue: Pick<Catalogue, 'datasets'>): DatasetName | undefined {
  const [first, ...others] = catalogue.datasets()
  return others.length === 0 ? first?.name : undefined
}

/** An encoder of general use, to compare with where it is at hand. */
const referenceModel = 'encoders/all-MiniLM-L6-v2'

async function referenceModels(settings: SearchSettings): Promise<readonly string[]> {
  const catalogue = openCatalogue(catalogueFile(settings.dataDir))
  try {
    const states = await collectionStates({ ...settings, catalogue, verify: false })
    const own = states.filter(({ model }) => model === referenceModel)
    return own.length > 0 && own.every(({ state }) => state === 'current') ? [referenceModel] : []
  } finally {
    catalogue.close()
  }
}
