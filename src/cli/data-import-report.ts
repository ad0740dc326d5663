/** The report of an import, as text. */
import { basename } from 'node:path'
import type { WorksJoined } from '../datasets/join-works.js'
import type { ImportedDataset, ImportedSource, ImportSummary } from '../datasets/import.js'
import type { UpdateCounts } from '../datasets/update-rows.js'
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

const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

function describeDataset(dataset: ImportedDataset): string[] {
  const { name, version, rows, columns, textCounts, sources, works, leftOut, updated } = dataset
  return [
    `${name}: ${entries(rows)}, version ${version.slice(0, 12)}`,
    ...columns.map((column, position) => `  ${column}: ${textCounts[position] ?? 0} texts`),
    ...sources.flatMap(describeSource),
    ...(works === undefined ? [] : [describeWorks(works)]),
    ...(updated === undefined ? [] : [describeUpdate(updated)]),
    ...leftOut.map(({ kind, count }) => `  excluded as ${kind}: ${entries(count)}`),
  ]
}

function describeWorks({ byId, byTitle, notFound }: WorksJoined): string {
  const joined = `${byId + byTitle} joined (${byId} by id, ${byTitle} by title)`
  return `  included works: ${joined}, ${notFound} not found`
}

const describeUpdate = ({ changed, added, same, kept }: UpdateCounts) =>
  `  updated: ${changed} changed, ${added} added, ${same} the same, ${kept} not named`

function describeSource({ source, joined, added, repeatedTexts, notes }: ImportedSource): string[] {
  const { file, mapping, rowsRead, skipped } = source
  const counts = [`${rowsRead} rows read`]
  if (mapping.join !== undefined) counts.push(`${joined} joined by ${mapping.join}`)
  counts.push(`${added} new entries`)
  const lines = [`  ${basename(file)}: ${counts.join(', ')}`]
  if (skipped.count > 0) lines.push(`    ${skipped.count} rows skipped: ${skipped.describe()}`)
  if (notes.count > 0) lines.push(`    ${notes.describe()}`)
  if (repeatedTexts > 0)
    lines.push(`    ${repeatedTexts} texts repeat an earlier column and were skipped`)
  return [...lines, ...describeValues(source.values)]
}
