/** The report of an import, as text. */
import { basename } from 'node:path'
import { namesIn, type Field } from '../data/datasets/field.js'
import type { WorksJoined } from '../data/datasets/join-works.js'
import type { ImportedDataset, ImportedSource, ImportSummary } from '../data/datasets/import.js'
import type { UpdateCounts } from '../data/datasets/update-rows.js'
import { counted } from '../base/util/counted.js'
import { shellWord } from '../base/util/runnable.js'
import { describeValues, warningsOf } from './data-values-report.js'

export function describeImport(summary: ImportSummary, into: string): string {
  const { datasets, retained, lossReason, elapsedMs } = summary
  const lines = datasets.flatMap(describeDataset)
  const warnings = datasets.flatMap(({ sources }) => sources.flatMap(warningsOf))
  for (const { name, rows } of retained) lines.push(`${name}: ${entries(rows)}, unchanged`)
  if (lossReason !== null) lines.push(`Nothing of the old catalogue was kept: ${lossReason}`)
  lines.push(`Written to ${into} in ${(elapsedMs / 1000).toFixed(1)} s`)
  lines.push(...warnings)
  return `${lines.join('\n')}\n`
}

const entries = (count: number) => counted(count, 'entry', 'entries')

function describeDataset(dataset: ImportedDataset): string[] {
  const { name, version, rows, columns, textCounts, sources, works, leftOut, updated } = dataset
  return [
    `${name}: ${entries(rows)}, version ${version.slice(0, 12)}`,
    ...columns.map(
      (column, position) => `  ${column}: ${counted(textCounts[position] ?? 0, 'text')}`,
    ),
    ...sources.flatMap((source) => describeSource(source, updated !== undefined)),
    ...(works === undefined ? [] : [describeWorks(works)]),
    ...(updated === undefined ? [] : [describeUpdate(updated)]),
    ...leftOut.map(({ kind, count }) => `  excluded as ${kind}: ${entries(count)}`),
  ]
}

function describeWorks({ byId, byTitle, notFound }: WorksJoined): string {
  const joined = byId + byTitle
  const ways = `${byId} by id, ${byTitle} by title`
  return `  included works: ${joined} of ${joined + notFound} joined your entries (${ways})`
}

const describeUpdate = ({ changed, added, same, kept }: UpdateCounts) =>
  `  updated: ${changed} changed, ${added} added, ${same} the same, ${kept} not named by the files`

/** Of an update, a line of its own says which entries are new. */
function describeSource(
  { source, joined, added, repeatedTexts, notes }: ImportedSource,
  isUpdate: boolean,
): string[] {
  const { file, mapping, rowsRead, skipped } = source
  const counts = [`${counted(rowsRead, 'row')} read`]
  if (mapping.join !== undefined) counts.push(`${joined} joined by ${mapping.join}`)
  counts.push(isUpdate ? entries(added) : counted(added, 'new entry', 'new entries'))
  const lines = [`  ${basename(file)}: ${counts.join(', ')}`]
  if (source.isGuess) lines.push(...describeGuess(source))
  if (skipped.count > 0)
    lines.push(`    ${counted(skipped.count, 'row')} skipped: ${skipped.describe()}`)
  if (skipped.has('more fields than the header'))
    lines.push('    A text that holds the delimiter has to be in double quotes.')
  if (notes.count > 0) lines.push(`    ${notes.describe()}`)
  if (repeatedTexts > 0)
    lines.push(
      `    ${counted(repeatedTexts, 'text repeats', 'texts repeat')} an earlier column; skipped`,
    )
  return [...lines, ...describeValues(source.values)]
}

/** Without a mapping of its own, the file was read by the names and values of its fields. */
function describeGuess({ file, mapping }: ImportedSource['source']): string[] {
  const { fields, texts } = mapping
  const read = Object.entries({ ...fields, ...texts }).flatMap(([member, field]) => {
    const names = [field].flat().flatMap((one) => (isField(one) ? namesIn(one) : []))
    return names.length === 0 ? [] : [`${member} from ${names.join(', ')}`]
  })
  return [
    `    read without a mapping: ${read.join('; ')}`,
    `    To change that, run \`synoptic data init ${shellWord(file)}\` and import what it writes.`,
  ]
}

const isField = (one: unknown): one is Field =>
  typeof one === 'string' || (typeof one === 'object' && one !== null && 'from' in one)

/**
 * Sources that were probably read wrongly: more than half of their rows gave no entry or no text.
 * @returns a sentence for each
 */
export function suspectSources({ datasets }: ImportSummary): string[] {
  return datasets
    .filter(({ updated }) => updated === undefined)
    .flatMap(({ name, sources }) =>
      sources.flatMap(({ source }) => {
        const { file, mapping, rowsRead, skipped, withText } = source
        const usable = rowsRead - skipped.count
        const about = `${basename(file)} (imported as ${name})`
        if (usable * 2 < rowsRead)
          return [`${about}: ${skipped.count} of ${counted(rowsRead, 'row')} gave no entry`]
        const hasTexts = Object.keys(mapping.texts).length > 0
        if (hasTexts && withText * 2 < usable)
          return [`${about}: ${usable - withText} of ${entries(usable)} have no text`]
        return []
      }),
    )
}
