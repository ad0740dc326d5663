/** Short names of models: the last part of a name names the model if it is unique. */
import { nearestWords } from '../../base/util/suggest.js'

/** Returns the full names by the short ones that are unique. */
export function shortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string | undefined>()
  for (const name of names) {
    const short = lastPart(name)
    found.set(short, found.has(short) ? undefined : name)
  }
  return new Map(
    [...found].filter((pair): pair is [string, string] => {
      return pair[1] !== undefined && pair[0] !== pair[1]
    }),
  )
}

/** Returns the full name of a model, or the name itself if there is none. */
export const fullName = (name: string, names: readonly string[]): string =>
  names.includes(name) ? name : (shortNames(names).get(name) ?? name)

/** Says that there is no such model, and which come nearest. */
export function unknownModel(name: string, names: readonly string[]): string {
  const received = name.slice(0, 100)
  const short = lastPart(received)
  const nearest = nearestWords(short, names.map(lastPart), 3).map((at) => names[at])
  return `unknown model "${received}"; the nearest are ${nearest.join(', ')}`
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('/') + 1)
