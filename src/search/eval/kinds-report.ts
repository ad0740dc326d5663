/** The table of kinds as text for people and as JSON for programs: no timings, so equal runs are equal bytes. */
import { version } from '../../base/util/version.js'
import type { Estimate } from './figures.js'
import { measureNames } from './kinds.js'
import type { MeasuredKind } from './measure-kinds.js'
import { table } from './report.js'

const intervals =
  '95 % intervals by bootstrap; after the bar: what the first system gains on the other, query by query'

export function describeKinds(kinds: readonly MeasuredKind[]): string {
  const names = kinds[0]?.systems.map(({ name }) => name) ?? []
  const headings = ['kind', 'queries', 'measure', ...names]
  const rows = kinds.map(({ kind, queries, measure, systems }) => [
    kind,
    `${queries}`,
    measure === 'broken' ? 'broken@5' : measureNames[measure],
    ...systems.map(({ value, behind }) =>
      behind === undefined
        ? withInterval(value)
        : `${value.value.toFixed(3)} | ${difference(behind)}`,
    ),
  ])
  return `${table([headings, ...rows])}\n(${intervals})\n`
}

export const kindsJson = (kinds: readonly MeasuredKind[]): string =>
  `${JSON.stringify({ program: `synoptic ${version}`, intervals, kinds }, null, 2)}\n`

const withInterval = ({ value, low, high }: Estimate) =>
  `${value.toFixed(3)} (${low.toFixed(3)} - ${high.toFixed(3)})`

const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(3)}`

const difference = ({ value, low, high }: Estimate) =>
  `${signed(value)} (${signed(low)} to ${signed(high)})`
