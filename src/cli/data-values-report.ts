/** The part of an import's report that shows how the values of a source were read. */
import { basename } from 'node:path'
import type { ImportedSource } from '../data/datasets/import.js'
import type { ListValues, UnusableValues, ValueReport } from '../data/datasets/value-report.js'
import { counted } from '../base/util/counted.js'

/** From this share on, the mapping is probably wrong. */
const warnedShare = 0.2

/** One line for each list, so that a wrong separator is seen, for each field with unreadable values, and for unknown types. */
export function describeValues(values: ValueReport): string[] {
  return [
    ...values.lists().map(describeList),
    ...values.unusable().map(describeUnusable),
    ...describeTypes(values.unknownTypes()),
  ]
}

/** One line for each field with more than a fifth of its values unreadable. */
export function warningsOf({ source: { file, values } }: ImportedSource): string[] {
  return values
    .unusable()
    .filter(({ count, unusable }) => unusable > warnedShare * count)
    .map(({ field, kind, count, unusable }) => {
      const share = `${Math.round((100 * unusable) / count)} %`
      return `warning: ${basename(file)}: ${share} of the values of ${field} are not ${nameOf(kind)}; check the mapping`
    })
}

function describeList({ field, rows, distinct, mostFrequent }: ListValues): string {
  const values = counted(distinct, 'value', 'different values')
  const most = mostFrequent.map(([value, count]) => `${value} (${count})`)
  return `    ${field}: ${values} in ${counted(rows, 'row')}, most frequent: ${most.join(', ')}`
}

function describeUnusable({ field, kind, count, unusable, examples }: UnusableValues): string {
  const shown = examples.map(({ value, line }) => `${JSON.stringify(value)} (line ${line})`)
  const name = nameOf(kind)
  const verbs = unusable === 1 ? `is not ${name} and counts as` : `are not ${name} and count as`
  const more = unusable > examples.length ? ', …' : ''
  return `    ${field}: ${unusable} of ${counted(count, 'value')} ${verbs} missing: ${shown.join(', ')}${more}`
}

const shownTypes = 8

/** Filters find works of these types by these words alone. */
function describeTypes(types: readonly (readonly [type: string, count: number])[]): string[] {
  if (types.length === 0) return []
  const shown = types.slice(0, shownTypes).map(([type, count]) => `${type} (${count})`)
  const more = types.length > shownTypes ? ', …' : ''
  return [
    `    type: unknown to Synoptic: ${shown.join(', ')}${more}; "values" in a mapping renames them`,
  ]
}

function nameOf(kind: UnusableValues['kind']): string {
  return names[kind] ?? `a ${kind}`
}

const names: Partial<Record<UnusableValues['kind'], string>> = {
  integer: 'a whole number',
  score: 'a score within its scale ("outOf")',
  boolean: 'true or false',
}
