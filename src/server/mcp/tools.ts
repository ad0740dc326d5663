/** The tools that a model may call: what each takes, as a schema, and what it answers. */
import * as v from 'valibot'
import type { Browse } from '../../search/browse/browse.js'
import { datasetNames, type Catalogue, type DatasetName } from '../../data/catalogue/catalogue.js'
import type { AdultWorks } from '../../base/config/work-kinds.js'
import { NotFoundError } from '../../base/errors/index.js'
import { createEntryBody } from '../http/entry-body.js'
import { createMembersOf, pickMembers } from '../http/entry-members.js'
import { filterEntries, filterOf, yearsInOrder, yearsNotInOrder } from '../schemas/filters.js'
import { closedObject, freeText, integer } from '../schemas/parts.js'
import { builtinModel } from '../../models/registry/registry.js'
import type { RankedSearchService } from '../../search/service/ranked-search.js'
import type { SearchService } from '../../search/service/service.js'
import { shortened } from './shortened.js'

export interface ToolServices {
  readonly catalogue: Pick<Catalogue, 'entry' | 'text'>
  readonly ranked: RankedSearchService
  readonly similar: Pick<SearchService, 'neighbours'>
  readonly browse: Pick<Browse, 'entry'>
  /** What happens to works for adults where a call does not say. */
  readonly adult: AdultWorks
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly schema: v.GenericSchema
  /** @param input what the schema has accepted */
  run(input: unknown, call: ToolCall): Promise<object>
}

export interface ToolCall {
  readonly signal: AbortSignal
  /** Called with the text that is searched, for a log that includes queries. */
  readonly onQuery: (query: string) => void
  /** Called with the milliseconds of each phase. */
  readonly onTimings: (timings: object) => void
}

const maxCount = 50
const shownMembers = [
  'type',
  'year',
  'episodes',
  'volumes',
  'genres',
  'titleEnglish',
  'links',
] as const

/** The defaults of /search. */
const searchDefaults = { batchSize: 32, candidates: 100 } as const

/** @param services what a first start has yet to import may come later; calls wait for it */
export function createTools(services: ToolServices | Promise<ToolServices>): readonly Tool[] {
  const membersOf = createMembersOf()
  const bodyOf = createEntryBody()

  const find = (dataset: DatasetName): Tool =>
    tool({
      name: `find_${dataset}`,
      title: `Find ${dataset} by a description`,
      description:
        `Finds the ${dataset} that fit a description of their plot, mood or facts in plain English, the best ` +
        'first. Works that are named as examples ("like Mushishi but darker") and requested facts ("short 90s film without ' +
        'romance") are understood. `score` is 0 to 1; `matched` is the text that fits where that is not the synopsis; ' +
        '`id` is what `similar` and `get_entry` take.',
      schema: findSchema,
      async run({ query, count, light_novels: includeLightNovels, spoilers, ...filter }, call) {
        call.onQuery(query)
        const { ranked, adult } = await services
        const request = { dataset, query, numResults: count, includeLightNovels, spoilers }
        const found = await ranked.ranked(
          { ...request, ...searchDefaults, filter: filterOf(filter, adult) },
          call.signal,
        )
        call.onTimings(found.timings)
        return {
          results: found.results.map(({ id, title, score, synopsis, matched, entry }) => ({
            id,
            title,
            score,
            ...pickMembers(membersOf(dataset, entry), shownMembers),
            synopsis: shortened(synopsis),
            ...(matched && {
              matched: { ...matched, text: matched.text && shortened(matched.text) },
            }),
          })),
          ...(found.warnings.length > 0 && { warnings: found.warnings }),
        }
      },
    })

  return [
    ...datasetNames.map(find),
    tool({
      name: 'similar',
      title: 'Find works like a work',
      description:
        'Finds works that are like a work of the same dataset, by its id: by their tags and genres, and a ' +
        'little by their texts; `similarity` is that of the texts alone. The franchise of the work is left out.',
      schema: similarSchema,
      async run({ dataset, id, count }, call) {
        const { catalogue, similar, adult } = await services
        const filter = filterOf({}, adult)
        const query = { dataset, id, model: builtinModel, page: 1, resultsPerPage: count, filter }
        const found = await similar.neighbours(query, call.signal)
        call.onTimings(found.timings)
        return {
          results: found.results.map(({ row, column, similarity }) => {
            const entry = catalogue.entry(dataset, row)
            return {
              id: entry.id,
              title: entry.title,
              similarity,
              ...pickMembers(membersOf(dataset, entry), shownMembers),
              synopsis: shortened(catalogue.text(dataset, row, column) ?? ''),
            }
          }),
        }
      },
    }),
    tool({
      name: 'get_entry',
      title: 'Read all that is known of a work',
      description: 'Returns all texts, facts, tags, links and the franchise of a work, by its id.',
      schema: entrySchema,
      async run({ dataset, id, spoilers }) {
        const { browse } = await services
        const entry = await browse.entry(dataset, id)
        if (entry === undefined) throw new NotFoundError(`There is no ${dataset} with this id.`)
        return bodyOf(dataset, entry, { spoilers })
      },
    }),
  ]
}

/** Gives `run` the type of what its schema returns. */
function tool<Schema extends v.GenericSchema>({
  schema,
  run,
  ...rest
}: Omit<Tool, 'schema' | 'run'> & {
  readonly schema: Schema
  readonly run: (input: v.InferOutput<Schema>, call: ToolCall) => Promise<object>
}): Tool {
  return { ...rest, schema, run: (input, call) => run(input, call) }
}

const countOf = (fallback: number) =>
  v.optional(v.pipe(integer(1, maxCount), v.description('Number of results.')), fallback)
const dataset = v.picklist(datasetNames, `expected ${datasetNames.join(' or ')}`)
const id = v.pipe(
  integer(0, Number.MAX_SAFE_INTEGER),
  v.description('The id of a work, as the other tools return it.'),
)

const spoilers = v.optional(
  v.pipe(
    v.boolean('expected true or false'),
    v.description('Whether texts that give an ending away are shown.'),
  ),
  false,
)

const findSchema = v.pipe(
  closedObject({
    query: freeText('What the work is about'),
    count: countOf(5),
    light_novels: v.optional(
      v.pipe(
        v.boolean('expected true or false'),
        v.description('Whether light novels are searched too; only manga has any.'),
      ),
      false,
    ),
    spoilers,
    ...filterEntries,
  }),
  v.forward(
    v.check(
      (request) => yearsInOrder(request),
      ({ input }) => yearsNotInOrder(input),
    ),
    ['yearFrom'],
  ),
)
const similarSchema = closedObject({ dataset, id, count: countOf(10) })
const entrySchema = closedObject({ dataset, id, spoilers })
