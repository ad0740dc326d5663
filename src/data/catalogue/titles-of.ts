import type { Title } from '../titles/title.js'
import type { CatalogueRow } from './catalogue-row.js'

/** All titles of an entry, the main one first. */
export function titlesOf(
  { title, metadata, facts }: Pick<CatalogueRow, 'title' | 'metadata' | 'facts'>,
  row: number,
): Title[] {
  const others = facts?.otherTitles ?? []
  const texts = [
    { text: metadata.titleEnglish, kind: 'english' as const },
    { text: metadata.titleJapanese, kind: 'native' as const },
    ...others.map((text) => ({ text, kind: 'other' as const })),
  ]
  return [
    { row, text: title, kind: 'main' },
    ...texts.flatMap(({ text, kind }) => (typeof text === 'string' ? [{ row, text, kind }] : [])),
  ]
}
