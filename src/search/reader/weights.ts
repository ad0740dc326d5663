/** The weights of the reader, which tools/reader/fit.js writes: data/query/weights.json. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { type RoleWeights, factRoles, workRoles } from './choose.js'
import { type KindWeights, queryKinds } from './query-kind.js'

const words = v.array(v.string())
const table = (columns: readonly string[]) =>
  v.record(v.string(), v.pipe(v.array(v.number()), v.length(columns.length)))

const weightsFile = v.strictObject({
  neighbours: words,
  phrases: words,
  kindWords: words,
  kinds: table(queryKinds),
  fact: table(['chosen', ...factRoles]),
  work: table(['chosen', ...workRoles]),
})

export interface ReaderWeights {
  readonly roles: RoleWeights
  readonly kinds: KindWeights
}

/** @throws v.ValiError where the file has no such weights, or an Error of the file system */
export function readWeights(file: string | URL): ReaderWeights {
  const { neighbours, phrases, kindWords, kinds, fact, work } = v.parse(
    weightsFile,
    JSON.parse(readFileSync(file, 'utf8')),
  )
  const mapOf = (rows: Readonly<Record<string, readonly number[]>>) => new Map(Object.entries(rows))
  return {
    roles: {
      neighbours: new Set(neighbours),
      phrases: new Set(phrases),
      fact: mapOf(fact),
      work: mapOf(work),
    },
    kinds: { words: new Set(kindWords), weights: mapOf(kinds) },
  }
}
