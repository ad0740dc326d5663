/** The tools that a model may call. */
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import { NotFoundError } from '../../base/errors/index.js'
import { createEntryIds, type EntryIds, type TextIds } from '../http/entry-ids.js'
import { createEntryBody } from '../http/entry-body.js'
import { createMembersOf, pickMembers } from '../http/entry-members.js'
import { filterOf } from '../schemas/filters.js'
import { builtinModel } from '../../models/registry/registry.js'
import type { RankedResult } from '../../search/service/ranked-search.js'
import { nameWork, nameWorks, withSameTitle } from './name-work.js'
import { shortened } from './shortened.js'
import { tool, type Tool, type ToolServices } from './tool.js'
import { createInputs, findInput, type NamedWork } from './tool-inputs.js'
import {
  entryOutput,
  findOutput,
  recommendOutput,
  shownMembers,
  similarOutput,
} from './tool-outputs.js'

/** The defaults of /search. */
const searchDefaults = { batchSize: 32, candidates: 100 } as const

/**
 * @param services what a first start has yet to import may come later; calls wait for it
 * @param datasets those that it has
 */
export function createTools(
  services: ToolServices | Promise<ToolServices>,
  datasets: readonly DatasetName[],
  hasTextIds = false,
): readonly Tool[] {
  const { similarInput, entryInput, recommendInput } = createInputs(datasets, hasTextIds)
  let made: EntryIds | undefined
  /** Undefined for a dataset of integers. */
  const textIdsOf = async (dataset: DatasetName): Promise<TextIds | undefined> => {
    if (!hasTextIds) return undefined
    const parts = await services
    made ??= parts.entryIds ?? createEntryIds(parts.catalogue)
    return made.of(dataset)
  }
  const withShownIds = async (dataset: DatasetName, answer: object): Promise<object> =>
    ((await textIdsOf(dataset))?.toShown(answer) as object | undefined) ?? answer
  const membersOf = createMembersOf()
  const bodyOf = createEntryBody()

  const shown = (dataset: DatasetName, result: RankedResult) => {
    const { id, title, score, synopsis, matched, entry } = result
    return {
      id,
      title,
      score,
      ...pickMembers(membersOf(dataset, entry), shownMembers),
      synopsis: shortened(synopsis),
      ...(matched && { matched: { ...matched, text: matched.text && shortened(matched.text) } }),
    }
  }

  const find = (dataset: DatasetName): Tool =>
    tool({
      name: `find_${dataset.replaceAll('-', '_')}`,
      title: `Find ${dataset} by a description`,
      description:
        `Finds the ${dataset} that fit a description of their plot, mood or facts in plain English, the best ` +
        'first. Works that are named as examples ("like Mushishi but darker") and requested facts ("short 90s film without ' +
        'romance") are understood. `score` is 0 to 1; `matched` is the text that fits where that is not the synopsis; ' +
        '`id` is what `similar`, `recommend` and `get_entry` take.',
      schema: findInput,
      output: findOutput,
      async run({ query, count, light_novels: includeLightNovels, spoilers, ...filter }, call) {
        call.onQuery(query)
        const { ranked, adult } = await services
        const request = { dataset, query, numResults: count, includeLightNovels, spoilers }
        const answer = await ranked.ranked(
          { ...request, ...searchDefaults, filter: filterOf(filter, adult) },
          call.signal,
        )
        call.onTimings(answer.timings)
        return withShownIds(dataset, {
          results: answer.results.map((result) => shown(dataset, result)),
          ...withWarnings(answer.warnings),
        })
      },
    })

  return [
    ...datasets.map(find),
    tool({
      name: 'similar',
      title: 'Find works like a work',
      description:
        'Finds works that are like a work of the same dataset, by its id or title: by their tags and genres, and a ' +
        'little by their texts; `similarity` is that of the texts alone. The franchise of the work is left out.',
      schema: similarInput,
      output: similarOutput,
      async run({ dataset, count, ...names }, call) {
        const { catalogue, similar, adult, browse } = await services
        const { id, others } = await nameWork(browse, dataset, names, await textIdsOf(dataset))
        const filter = filterOf({}, adult)
        const query = { dataset, id, model: builtinModel, page: 1, resultsPerPage: count, filter }
        const found = await similar.neighbours(query, call.signal)
        call.onTimings(found.timings)
        return withShownIds(dataset, {
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
          ...withSameTitle(others),
        })
      },
    }),
    tool({
      name: 'recommend',
      title: 'Recommend works to somebody',
      description:
        'Finds works for somebody by those that they liked and disliked, given as ids or titles, and by a `query` where ' +
        'there is one. Those works and their franchises are left out. `because` names the liked works that a result is most like.',
      schema: recommendInput,
      output: recommendOutput,
      async run({ dataset, liked, disliked, seen, query, count, ...filter }, call) {
        if (query !== undefined) call.onQuery(query)
        const { browse, recommend, adult } = await services
        const textIds = await textIdsOf(dataset)
        const named = (works: readonly NamedWork[]) => nameWorks(browse, dataset, works, textIds)
        const [likedWorks, dislikedWorks, seenWorks] = [
          await named(liked),
          await named(disliked),
          await named(seen),
        ]
        const unknown = [likedWorks, dislikedWorks, seenWorks].flatMap((works) => works.unknown)
        const weighted = (ids: readonly number[]) => ids.map((id) => ({ id, weight: 1 }))
        if (likedWorks.ids.length + dislikedWorks.ids.length === 0 && query === undefined)
          throw new NotFoundError(unknown.join('; '))
        const answer = await recommend(
          {
            ...searchDefaults,
            dataset,
            liked: weighted(likedWorks.ids),
            disliked: weighted(dislikedWorks.ids),
            seen: seenWorks.ids,
            query,
            numResults: count,
            includeLightNovels: false,
            filter: filterOf(filter, adult),
          },
          call.signal,
        )
        call.onTimings(answer.timings)
        return withShownIds(dataset, {
          results: answer.results.map((result, at) => ({
            ...shown(dataset, result),
            because: (answer.because[at] ?? []).map((id) => ({
              id,
              title: browse.titleOf(dataset, id) ?? '',
            })),
          })),
          ...withWarnings([...unknown, ...answer.warnings]),
        })
      },
    }),
    tool({
      name: 'get_entry',
      title: 'Read all that is known of a work',
      description:
        'Returns all texts, facts, tags, links and the franchise of a work, by its id or title.',
      schema: entryInput,
      output: entryOutput,
      async run({ dataset, spoilers, ...names }) {
        const { browse } = await services
        const { id, others } = await nameWork(browse, dataset, names, await textIdsOf(dataset))
        const entry = await browse.entry(dataset, id)
        if (entry === undefined) throw new NotFoundError(`There is no ${dataset} with this id.`)
        const body = { ...bodyOf(dataset, entry, { spoilers }), dataset, ...withSameTitle(others) }
        return withShownIds(dataset, body)
      },
    }),
  ]
}

const withWarnings = (warnings: readonly string[]) => (warnings.length > 0 ? { warnings } : {})
