/**
 * How many padded tokens make a good batch: small batches stay in a processor's caches, large ones save
 * calls and fill a GPU, and where the best lies depends on model and machine. So it is measured with the
 * first real work that could fill each size, and nothing is encoded only to measure.
 */

export interface BatchBudget {
  /** Tokens of a wave that lets every size be tried. */
  readonly waveTokens: number
  /** Padded tokens of a batch, for a wave of that many tokens. */
  tokens(waveTokens: number): number
  /** The model has read a batch in that time. @param padded its tokens, padding included */
  report(tokens: number, padded: number, spentMs: number): void
}

interface Candidate {
  readonly tokens: number
  /** Waves that were cut with it; a size that nothing fills is not waited for. */
  tries: number
  batches: number
  doneTokens: number
  spentMs: number
}

const minBatches = 4
const maxTries = 3
/** The last batch of a wave is seldom full, so a wave has at least so many of a size that is tried. */
const batchesAWave = 2
/** A larger batch keeps interactive requests waiting, so it has to be worth it. */
const minGain = 1.03

/** @param sizes in ascending order; the first serves until there is something to measure */
export function createBatchBudget(sizes: readonly number[]): BatchBudget {
  const candidates = sizes.map((tokens): Candidate => ({
    tokens,
    tries: 0,
    batches: 0,
    doneTokens: 0,
    spentMs: 0,
  }))
  return {
    waveTokens: batchesAWave * (sizes.at(-1) ?? 0),
    tokens(waveTokens) {
      const open = candidates.find(
        ({ tokens, tries, batches }) =>
          tries < maxTries && batches < minBatches && waveTokens >= batchesAWave * tokens,
      )
      if (open === undefined) return best(candidates)
      open.tries += 1
      return open.tokens
    },
    report(tokens, padded, spentMs) {
      // Batches that fill a size by at least two thirds tell about it, whatever they were cut with.
      const filled = candidates.find((candidate) => padded <= candidate.tokens)
      if (filled === undefined || padded < filled.tokens * 0.66) return
      filled.batches += 1
      filled.doneTokens += tokens
      filled.spentMs += spentMs
    },
  }
}

function best(candidates: readonly Candidate[]): number {
  let [chosen] = candidates
  for (const candidate of candidates) {
    if (chosen && rateOf(candidate) > rateOf(chosen) * minGain) chosen = candidate
  }
  return chosen?.tokens ?? 1
}

/** Tokens a millisecond. */
const rateOf = ({ doneTokens, spentMs }: Candidate) => (spentMs > 0 ? doneTokens / spentMs : 0)
