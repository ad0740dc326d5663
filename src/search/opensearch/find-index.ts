/** Which index of the engine holds the vectors of a dataset as it is served now. */
import type { DatasetInfo } from '../../data/catalogue/catalogue.js'
import { IndexMismatchError } from '../../base/errors/index.js'
import type { Engine } from './engine.js'
import { aliasOf, readMeta, wholeAliasOf, type IndexMeta } from './layout.js'

export interface FoundIndex {
  readonly name: string
  readonly meta: IndexMeta
  /** Whether the alias points to it. */
  readonly isCurrent: boolean
  /** Whether it was loaded to its end. */
  readonly isWhole: boolean
}

export interface IndexQuery {
  readonly prefix: string
  readonly dataset: DatasetInfo
  readonly model: string
  /** Of the model's files. */
  readonly revision: string
  /** Of searches that walk through a graph; undefined where they read all vectors. */
  readonly candidates: number | undefined
}

type Mappings = Readonly<
  Record<string, { readonly mappings: { readonly _meta?: { readonly synoptic?: unknown } } }>
>
type Aliases = Readonly<Record<string, { readonly aliases: Readonly<Record<string, unknown>> }>>

/** All indices of a (dataset, model), also those that are being loaded; the current one first. */
export async function listIndices(
  engine: Engine,
  { prefix, dataset, model }: Pick<IndexQuery, 'prefix' | 'model'> & { readonly dataset: string },
): Promise<readonly (FoundIndex | UnreadableIndex)[]> {
  const alias = aliasOf({ prefix, dataset, model })
  const query = { allow_no_indices: true }
  const [mappings = {}, aliases = {}] = await Promise.all([
    engine.call<Mappings>({ method: 'GET', path: `/${alias}-*/_mapping`, query }),
    engine.call<Aliases>({ method: 'GET', path: `/${alias}-*/_alias`, query }),
  ])
  const isOwnName = new RegExp(`^${alias.replaceAll('.', '\\.')}-[0-9a-f]{12}$`)
  return Object.entries(mappings)
    .filter(([name]) => isOwnName.test(name))
    .map(([name, { mappings }]) => {
      const own = aliases[name]?.aliases ?? {}
      const isWhole = Object.hasOwn(own, wholeAliasOf({ prefix, dataset, model }))
      const isCurrent = Object.hasOwn(own, alias)
      return { name, meta: readMeta(mappings._meta?.synoptic), isCurrent, isWhole }
    })
    .filter(({ meta }) => meta === undefined || (meta.dataset === dataset && meta.model === model))
    .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
}

/** Written by another version of Synoptic. */
export interface UnreadableIndex extends Omit<FoundIndex, 'meta'> {
  readonly meta: undefined
}

/**
 * The index that the alias points to, or an older or newer one that is still there: while servers are updated one by
 * one, each finds its own. Rejects with an IndexMismatchError that names what differs.
 */
export async function findIndex(engine: Engine, query: IndexQuery): Promise<FoundIndex> {
  const { dataset, model } = query
  const found = await listIndices(engine, { ...query, dataset: dataset.name })
  const fits = found.find(
    (index): index is FoundIndex =>
      index.meta !== undefined && differenceOf(index, query) === undefined,
  )
  if (fits !== undefined) return fits
  const [first] = found
  const what =
    first === undefined
      ? 'nothing was published'
      : first.meta === undefined
        ? `${first.name}: another layout than this version of Synoptic reads`
        : `${first.name}: ${differenceOf(first, query)}`
  throw new IndexMismatchError(dataset.name, model, {
    cause: new Error(what),
    candidates: query.candidates,
  })
}

/** What keeps an index from being served; undefined where nothing does. */
export function differenceOf(
  { meta, isWhole }: FoundIndex,
  query: Omit<IndexQuery, 'prefix'>,
): string | undefined {
  const { dataset, revision, candidates } = query
  if (!isWhole) return 'it is not loaded to its end'
  const expected = [
    ['dataset version', dataset.version, meta.datasetVersion],
    ['rows', dataset.rows, meta.rows],
    ['columns', dataset.columns.join(', '), meta.columns.join(', ')],
    ['model revision', revision, meta.modelRevision],
  ] as const
  const different = expected.find(([, wanted, found]) => wanted !== found)
  if (different === undefined) {
    const lacksGraph = candidates !== undefined && meta.graph === undefined
    return lacksGraph ? 'it has no graph, and --index-candidates needs one' : undefined
  }
  const [what, wanted, received] = different
  return `${what}: expected ${wanted}, found ${received}`
}
