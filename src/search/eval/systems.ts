/** What is compared: a first stage, and what puts its candidates in order. */

export const modes = ['semantic', 'lexical', 'hybrid'] as const
/** Similarity of vectors, bm25 of words, or both fused by reciprocal rank. */
export type Mode = (typeof modes)[number]

export interface FirstStage {
  readonly mode: Mode
  /** Null where words alone count. */
  readonly model: string | null
}

export interface System extends FirstStage {
  /** Null leaves the first stage's order. */
  readonly reranker: string | null
}

export interface Choice {
  readonly models: readonly string[]
  readonly modes: readonly Mode[]
  readonly rerankers: readonly (string | null)[]
}

/** Every combination; the words' first stage once, whatever the models. */
export function firstStages({ models, modes }: Choice): FirstStage[] {
  const words = modes.filter((mode) => mode === 'lexical')
  const vectors = modes.filter((mode) => mode !== 'lexical')
  return [
    ...words.map((mode) => ({ mode, model: null })),
    ...models.flatMap((model) => vectors.map((mode) => ({ mode, model }))),
  ]
}

export const countSystems = (choice: Choice): number =>
  firstStages(choice).length * choice.rerankers.length

/** As people call it, e.g. `builtin/static-en hybrid, then builtin/maxsim-en`. */
export function systemName({ mode, model, reranker }: System): string {
  const first = model === null ? mode : `${model} ${mode}`
  return reranker === null ? first : `${first}, then ${reranker}`
}
