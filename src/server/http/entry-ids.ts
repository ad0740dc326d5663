/**
 * Ids of entries as clients know them. Routes work with integers; where a dataset has texts for ids, those of a request
 * are read into integers here, and those of its response are written as texts.
 */
import { NotFoundError, ValidationError, type Problem } from '../../base/errors/index.js'
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'
import {
  expectedTextId,
  hasTextIds,
  integerOfTextId,
  isTextId,
  shownId,
  textIdMember,
  type EntryId,
} from '../../data/catalogue/text-ids.js'

export interface EntryIds {
  /** Whether there is any of texts. */
  readonly hasTexts: boolean
  /** Undefined for a dataset of integers. */
  of(dataset: DatasetName): TextIds | undefined
}

export interface TextIds {
  readonly dataset: DatasetName
  /** @throws NotFoundError */
  fromPath(word: string): number
  /** Undefined where no entry has that id. */
  find(word: string): number | undefined
  /** Puts integers in place of the texts of a body. @throws ValidationError */
  fromBody(body: unknown): unknown
  /** Puts texts in place of the integers of a response, and takes away where they are kept. */
  toShown(body: unknown): unknown
}

/** @param pending catalogues of what is written and not yet in the other, the newest last */
export function createEntryIds(
  catalogue: Pick<Catalogue, 'datasets' | 'dataset' | 'entry' | 'rowOfId'>,
  pending: () => readonly EntriesById[] = () => [],
): EntryIds {
  const all = () => [catalogue, ...pending()]

  const named = catalogue.datasets().filter(({ name }) => hasTextIds(catalogue, name))
  const byName = new Map(named.map(({ name }) => [name, createTextIds(all, name)]))
  return { hasTexts: byName.size > 0, of: (dataset) => byName.get(dataset) }
}

type EntriesById = Pick<Catalogue, 'dataset' | 'entry' | 'rowOfId'>

function createTextIds(catalogues: () => readonly EntriesById[], dataset: DatasetName): TextIds {
  const find = (id: number): EntryId | undefined => {
    for (const catalogue of catalogues()) {
      if (catalogue.dataset(dataset) === undefined) continue
      const row = catalogue.rowOfId(dataset, id)
      if (row !== undefined) return shownId(catalogue.entry(dataset, row))
    }
    return undefined
  }
  const textOf = (id: number): EntryId => find(id) ?? id
  const toShown = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(toShown)
    if (!isObject(value)) return value
    const members = Object.entries(value).filter(([name]) => name !== textIdMember)
    return Object.fromEntries(
      members.map(([name, member]) => [
        name,
        name === 'id' && typeof member === 'number' ? textOf(member) : toShown(member),
      ]),
    )
  }
  return {
    dataset,
    fromPath(word) {
      if (isTextId(word)) return integerOfTextId(word)
      throw new NotFoundError(`There is no ${dataset} with this id.`)
    },
    find(word) {
      const id = integerOfTextId(word)
      return find(id) === undefined ? undefined : id
    },
    fromBody(body) {
      const problems: Problem[] = []
      const read = (value: unknown, path: string): unknown => {
        // Digits may come as a number.
        const text = Number.isSafeInteger(value) ? String(value) : value
        if (typeof text === 'string' && isTextId(text)) return integerOfTextId(text)
        problems.push({ path, message: `expected the id of an entry, ${expectedTextId}` })
        return value
      }
      const found = replaceIds(body, read)
      if (problems.length > 0) throw new ValidationError(problems)
      return found
    },
    toShown,
  }
}

type ReadId = (value: unknown, path: string) => unknown

/** Members of bodies that are ids of entries, and those that are lists of them or of what has them. */
const oneId: ReadonlySet<string> = new Set(['id', 'work'])
const severalIds: ReadonlySet<string> = new Set(['ids', 'exclude', 'seen', 'liked', 'disliked'])

/** What has another form than bodies have is left for their schemas to refuse. */
function replaceIds(body: unknown, read: ReadId): unknown {
  if (!isObject(body)) return body
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      if (oneId.has(name)) return [name, read(value, name)]
      if (!severalIds.has(name) || !Array.isArray(value)) return [name, value]
      const members = value.map((one: unknown, at) => {
        if (!isObject(one)) return read(one, `${name}.${at}`)
        return 'id' in one ? { ...one, id: read(one.id, `${name}.${at}.id`) } : one
      })
      return [name, members]
    }),
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
