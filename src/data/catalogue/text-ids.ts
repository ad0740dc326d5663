/**
 * Ids that are texts. An entry always has an integer id, by which everything inside finds it; where its source has
 * texts for ids, the integer is made of the text, and the text is kept among the metadata.
 */
import { createHash } from 'node:crypto'
import type { Catalogue } from './catalogue.js'
import type { Entry } from './entry.js'

/** No mapping can name metadata so. */
export const textIdMember = '@id'

/** As callers know it. */
export type EntryId = number | string

const maxLength = 200

/** No more than what an address and a line of a table can hold. */
export const isTextId = (text: string): boolean =>
  text.length > 0 && text.length <= maxLength && text === text.trim() && !/\p{Cc}/u.test(text)

export const expectedTextId = `a text of 1 to ${maxLength} characters without spaces around it`

/** The first 53 bits of a hash: two of a million texts have one integer in one of 20,000 such datasets. */
export function integerOfTextId(text: string): number {
  const hash = createHash('sha256').update(text.normalize('NFC')).digest()
  return Number(hash.readBigUInt64BE(0) >> 11n)
}

/** The text where the entry has one. */
export function shownId({ id, metadata }: Pick<Entry, 'id' | 'metadata'>): EntryId {
  const text = metadata[textIdMember]
  return typeof text === 'string' ? text : id
}

/** Every entry of a dataset has a text, or none has; none is without entries. */
export function hasTextIds(
  catalogue: Pick<Catalogue, 'dataset' | 'entry'>,
  dataset: string,
): boolean {
  const info = catalogue.dataset(dataset)
  return info !== undefined && info.rows > 0 && textIdMember in catalogue.entry(dataset, 0).metadata
}

export const withTextId = <T extends { readonly metadata?: Entry['metadata'] }>(
  entry: T,
  text: string,
): T => ({ ...entry, metadata: { ...entry.metadata, [textIdMember]: text } })

export const withoutTextId = (metadata: Entry['metadata']): Entry['metadata'] =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => name !== textIdMember))
