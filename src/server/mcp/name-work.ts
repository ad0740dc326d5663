/** The work that a call names by its id or its title. */
import { NotFoundError } from '../../base/errors/index.js'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import type { EntryId } from '../../data/catalogue/text-ids.js'
import type { TextIds } from '../http/entry-ids.js'
import type { Browse, TitledEntry } from '../../search/browse/browse.js'
import type { NamedWork } from './tool-inputs.js'

interface Named {
  readonly id: number
  /** Other works of that title. */
  readonly others: readonly TitledEntry[]
}

type Titled = Pick<Browse, 'titled'>

/** Titles that are quoted in a problem are cut here. */
const maxQuoted = 40

/** @throws NotFoundError for a title that no work has */
export async function nameWork(
  browse: Titled,
  dataset: DatasetName,
  { id, title = '' }: { readonly id?: EntryId | undefined; readonly title?: string | undefined },
  textIds?: TextIds,
): Promise<Named> {
  if (id !== undefined) return { id: integerOf(dataset, id, textIds), others: [] }
  const [best, ...others] = await browse.titled(dataset, title)
  if (best === undefined) throw new NotFoundError(noSuchTitle(dataset, title))
  return { id: best.id, others }
}

export async function nameWorks(
  browse: Titled,
  dataset: DatasetName,
  works: readonly NamedWork[],
  textIds?: TextIds,
): Promise<{ readonly ids: readonly number[]; readonly unknown: readonly string[] }> {
  const ids: number[] = []
  const unknown: string[] = []
  for (const work of works) {
    const known = typeof work === 'number' ? work : textIds?.find(work)
    if (known !== undefined) ids.push(known)
    else {
      const title = String(work)
      const [best] = await browse.titled(dataset, title)
      if (best === undefined) unknown.push(noSuchTitle(dataset, title))
      else ids.push(best.id)
    }
  }
  return { ids, unknown }
}

function integerOf(dataset: DatasetName, id: EntryId, textIds: TextIds | undefined): number {
  if (textIds !== undefined) return textIds.fromPath(String(id))
  if (typeof id === 'number') return id
  throw new NotFoundError(`expected an integer as the id of ${dataset}`)
}

export const withSameTitle = (others: readonly TitledEntry[]) =>
  others.length > 0 ? { sameTitle: others } : {}

const noSuchTitle = (dataset: DatasetName, title: string) =>
  `no ${dataset} has the title ${JSON.stringify(title.slice(0, maxQuoted))}`
