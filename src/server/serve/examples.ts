/** Requests that a start prints: they ask for what is best known in the user's own catalogue. */
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'
import { descriptionsColumn } from '../../data/catalogue/dataset.js'
import { textKind } from '../../data/catalogue/text-kinds.js'
import { catalogueFile, openCatalogue } from '../../data/catalogue/open-catalogue.js'
import type { DatasetInventory, Inventory } from '../../search/composition/inventory.js'
import { builtinModel } from '../../models/registry/registry.js'
import { passes } from '../../base/util/row-mask.js'

export interface Example {
  readonly group: 'searchmodel' | 'search'
  readonly dataset: DatasetName
  readonly body: Readonly<Record<string, string>>
}

/** Fewer words may be anybody's, more do not fit a line. */
const wordRange = [5, 20] as const

/** One of each kind; none where nothing can be searched. */
export function readExamples(dataDir: string, { datasets }: Inventory): Example[] {
  const [first] = datasets.filter(({ models }) => models.length > 0)
  if (first === undefined) return []
  const catalogue = openCatalogue(catalogueFile(dataDir))
  try {
    const { name: dataset, models } = first
    const [model = ''] = models.includes(builtinModel) ? [builtinModel] : models
    const [description = 'a story about friends', query = description] = phrases(catalogue, first)
    return [
      { group: 'searchmodel', dataset, body: { model, description } },
      { group: 'search', dataset, body: { query } },
    ]
  } finally {
    catalogue.close()
  }
}

/** How the two best-known entries with a text are described. */
function phrases(catalogue: Catalogue, { name, rows, columns }: DatasetInventory): string[] {
  const popularity = catalogue.popularity(name)
  const mask = catalogue.mask(name, { adult: false })
  const known = (row: number) => popularity?.[row] ?? 0
  const byFame = Array.from({ length: rows }, (_, row) => row)
    .filter((row) => mask === undefined || passes(mask, row))
    .sort((one, other) => (known(other) || 0) - (known(one) || 0) || one - other)
  // Descriptions in people's own words are what people type.
  const descriptions = columns.indexOf(descriptionsColumn)
  const isShown = (column: number) => textKind(columns[column] ?? '') !== 'spoilers'
  const order = [descriptions, ...columns.keys()].filter((column) => column >= 0 && isShown(column))
  const found: string[] = []
  for (const row of byFame) {
    const texts = order.flatMap((column) => catalogue.text(name, row, column) ?? [])
    const phrase = texts.map(phraseOf).find((text) => text !== undefined)
    if (phrase !== undefined) found.push(phrase)
    if (found.length === 2) break
  }
  return found
}

/** The first sentence of a text, or its beginning. */
function phraseOf(text: string): string | undefined {
  const [sentence = ''] = text.split(/(?<=[.!?。！？…])\s|\n/)
  const words = sentence.replace(/[.。]$/, '').split(/\s+/)
  const [least, most] = wordRange
  if (words.length <= most) return words.length < least ? undefined : words.join(' ')
  const begin = words.slice(0, most)
  const comma = begin.findLastIndex((word) => word.endsWith(','))
  return comma < least
    ? begin.join(' ')
    : begin
        .slice(0, comma + 1)
        .join(' ')
        .slice(0, -1)
}
