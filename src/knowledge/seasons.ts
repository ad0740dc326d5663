/** Seasons of series whose titles do not count them: `kaguya sama season 2` is the second that was broadcast. */
import type { DatasetFacts } from '../facts/dataset-facts.js'

/** Types of which a season is one. */
const seasonTypes = ['tv', 'ona']

/** The rows that are seasons, of whatever series. */
export const seasonRows = ({ types }: Pick<DatasetFacts, 'types'>): ReadonlySet<number> =>
  new Set(seasonTypes.flatMap((type) => [...(types.get(type) ?? [])]))

/** The nth season of the franchise of a row, by year; undefined where there is none, or no years are known. */
export function seasonOf(
  { types, years, franchises }: Pick<DatasetFacts, 'types' | 'years' | 'franchises'>,
  row: number,
  number: number,
): number | undefined {
  const franchise = franchises[row] ?? -1
  if (franchise < 0) return undefined
  const seasons = seasonTypes
    .flatMap((type) => [...(types.get(type) ?? [])])
    .filter((other) => franchises[other] === franchise && (years[other] ?? 0) > 0)
    .sort((one, other) => (years[one] ?? 0) - (years[other] ?? 0) || one - other)
  return seasons[number - 1]
}
