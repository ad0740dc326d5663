/** Search in this process, without HTTP. */
import * as v from 'valibot'
import type { DatasetInfo, Entry } from '../data/catalogue/catalogue.js'
import { openSearch } from '../search/composition/open-search.js'
import { DatasetMissingError, ValidationError } from '../base/errors/index.js'
import {
  filterEntries,
  filterOf,
  yearsInOrder,
  yearsNotInOrder,
} from '../server/schemas/filters.js'
import { closedObject, freeText, integer, maxResults } from '../server/schemas/parts.js'
import { bodyProblemsOf } from '../server/problems/problem-paths.js'
import { builtinModel } from '../models/registry/registry.js'
import { openLog } from '../base/observability/log.js'
import { setScanThreads } from '../native/scheduling/threads.js'
import { maxResultWindow } from '../search/service/pagination.js'
import { prepareFirstStart } from '../server/serve/first-start.js'
import { librarySettings } from './library-settings.js'
import type { FindOptions, Found, OpenOptions, SearchIndex, Similar, Work } from './types.js'

const findOptions = v.pipe(
  closedObject({
    limit: v.optional(integer(1, maxResults), 10),
    page: v.optional(integer(1, maxResultWindow), 1),
    ...filterEntries,
  }),
  v.check(
    (options) => yearsInOrder(options),
    ({ input }) => yearsNotInOrder(input),
  ),
)
const searchText = v.object({ query: freeText('What is searched') })
/** How many works are scored; those that titles, words and vectors pick. */
const candidates = 100

/** @throws CatalogueError, SettingsError */
export async function openIndex({ folder, warn }: OpenOptions = {}): Promise<SearchIndex> {
  const settings = librarySettings(folder)
  // The tokenizers library reads it; its threads would compete with the event loop.
  process.env.TOKENIZERS_PARALLELISM ??= 'false'
  const log = await openLog({ level: settings.logLevel, file: 'none' })
  try {
    await prepareFirstStart(settings, log.logger)
  } finally {
    await log.close()
  }
  setScanThreads(settings)
  const parts = await openSearch(settings, { warn })
  const { catalogue } = parts

  const workOf = (entry: Entry, synopsis: string | null): Work => {
    const { id, title, type, year, genres } = entry
    return { id, title, type, year, genres, synopsis: synopsis ?? '' }
  }
  const similarWork = ({ name }: DatasetInfo, row: number, column: number): Work =>
    workOf(catalogue.entry(name, row), catalogue.text(name, row, column))

  return {
    datasets: catalogue.datasets().map(({ name }) => name),
    async search(dataset, query, { signal, ...options } = {}) {
      requireDataset(dataset)
      const { query: text } = checked(searchText, { query })
      const { limit, page, ...filter } = checked(findOptions, options)
      const ranked = {
        dataset,
        query: text,
        numResults: limit,
        page,
        candidates,
        batchSize: 32,
        includeLightNovels: false,
        filter: filterOf(filter, settings.adult),
      }
      const { results, warnings } = await parts.ranked.ranked(ranked, signal)
      for (const warning of warnings) warn?.(warning)
      return results.map(({ entry, synopsis, matched, score }): Found => ({
        ...workOf(entry, synopsis),
        score,
        ...(matched && { matched: matched.text }),
      }))
    },
    async similar(dataset, id, { signal, ...options } = {}) {
      requireDataset(dataset)
      const { limit, page, ...filter } = checked(findOptions, options)
      const found = await parts.similar.neighbours(
        {
          dataset,
          id,
          page,
          model: builtinModel,
          resultsPerPage: limit,
          filter: filterOf(filter, settings.adult),
        },
        signal,
      )
      for (const note of found.meta.notes ?? []) warn?.(note)
      return found.results.map(({ row, column, similarity }): Similar => ({
        ...similarWork(found.dataset, row, column),
        similarity,
      }))
    },
    close: () => parts.close(),
  }

  function requireDataset(name: string): void {
    if (!catalogue.datasets().some((info) => info.name === name))
      throw new DatasetMissingError(name)
  }
}

/** @throws ValidationError with all problems */
function checked<Schema extends v.GenericSchema>(
  schema: Schema,
  value: Omit<FindOptions, 'signal'> | { query: unknown },
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, value, { abortPipeEarly: true })
  if (result.success) return result.output
  throw new ValidationError(bodyProblemsOf(result.issues))
}
