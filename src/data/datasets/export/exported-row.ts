/** An entry as an export has it: everything that the catalogue holds, under stable names. */
import type { CatalogueRow } from '../../catalogue/catalogue-row.js'
import { shownId, withoutTextId } from '../../catalogue/text-ids.js'
import { countNames, listNames, wordNames } from '../../catalogue/entry-facts.js'

/** How a member is written where a format has types. `tree` is JSON. */
export type MemberKind = 'id' | 'text' | 'integer' | 'number' | 'boolean' | 'list' | 'tree'

/** Of every entry, in this order; `texts` follows. */
export const memberKinds: Readonly<Record<string, MemberKind>> = {
  id: 'id',
  title: 'text',
  alternativeTitles: 'list',
  type: 'text',
  year: 'integer',
  score: 'number',
  popularity: 'number',
  genres: 'list',
  ...kindsOf(countNames, 'integer'),
  ...kindsOf(listNames, 'list'),
  ...kindsOf(wordNames, 'text'),
  adult: 'boolean',
  tags: 'tree',
  spoilerTags: 'tree',
  metadata: 'tree',
}

export interface ExportedRow {
  readonly members: Readonly<Record<string, unknown>>
  /** By column, null where blank. */
  readonly texts: Readonly<Record<string, string | null>>
}

export function exportedRow(
  { facts = {}, texts, ...own }: CatalogueRow,
  columns: readonly string[],
): ExportedRow {
  const { otherTitles: alternativeTitles, ...rest } = facts
  const known: Record<string, unknown> = {
    ...rest,
    ...own,
    id: shownId(own),
    metadata: withoutTextId(own.metadata),
    alternativeTitles,
  }
  return {
    members: Object.fromEntries(
      Object.keys(memberKinds).map((name) => [name, known[name] ?? null]),
    ),
    texts: Object.fromEntries(columns.map((column, at) => [column, texts[at] ?? null])),
  }
}

function kindsOf(names: readonly string[], kind: MemberKind): Record<string, MemberKind> {
  return Object.fromEntries(names.map((name) => [name, kind]))
}
