/** How files that are known by sight are joined to each other: their mappings stand for one file alone. */
import { basename, extname } from 'node:path'
import { fileNameOf } from '../columns.js'
import type { Input } from '../input.js'
import type { Mapping } from '../mapping.js'

/**
 * Returns the inputs of a dataset with one base: a mapping of the user's own where one is not a joined source,
 * else the first known file. Others join by id where their ids are those of the base, else by title.
 * @param known those of the inputs that are known by sight
 */
export function joinKnown<T extends Input>(
  inputs: readonly T[],
  known: ReadonlySet<T>,
): readonly T[] {
  const own = inputs.find((input) => !known.has(input) && input.mapping.join === undefined)
  const base = own ?? inputs.find((input) => known.has(input))
  if (base === undefined) return inputs
  const kept = inputs.filter((input) => !known.has(input) || input === base)
  const columns = new Set(kept.flatMap(({ mapping }) => Object.keys(mapping.texts).map(fileNameOf)))
  return inputs.map((input) => {
    if (!known.has(input)) return input
    if (input === base) return { ...input, mapping: { ...input.mapping, join: undefined } }
    const texts = renamed(input, columns)
    return { ...input, mapping: { ...joined(input.mapping, base.mapping), texts } }
  })
}

/** The metadata say which ids are MyAnimeList's. */
const idsOf = ({ fields, metadata }: Mapping) =>
  fields.id === undefined || metadata.malId === undefined || isMangaBaka(metadata)
    ? undefined
    : 'MyAnimeList'

const isMangaBaka = ({ idSource }: Mapping['metadata']) =>
  typeof idSource === 'object' && 'value' in idSource && idSource.value === 'MangaBaka'

function joined(mapping: Mapping, base: Mapping): Mapping {
  const ids = idsOf(mapping)
  if (ids !== undefined && ids === idsOf(base)) return { ...mapping, join: 'id' }
  // Ids of the base's own kind would be taken for those of the base.
  return {
    ...mapping,
    join: 'title',
    fields: { ...mapping.fields, id: undefined, related: undefined },
  }
}

/** A second `synopsis` is named by its file: `Synopsis anime`, and one more `Synopsis anime 2`. */
function renamed({ file, mapping }: Input, taken: Set<string>): Mapping['texts'] {
  const stem = basename(file, extname(file)).replace(/[^\p{L}\p{N}_.-]+/gu, ' ')
  return Object.fromEntries(
    Object.entries(mapping.texts).map(([name, field]) => {
      const named = taken.has(fileNameOf(name)) ? unlike(`${capital(name)} ${stem}`, taken) : name
      taken.add(fileNameOf(named))
      return [named, field]
    }),
  )
}

const capital = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1)

function unlike(name: string, taken: ReadonlySet<string>): string {
  let unlikeAll = name
  for (let count = 2; taken.has(fileNameOf(unlikeAll)); count += 1) unlikeAll = `${name} ${count}`
  return unlikeAll
}
