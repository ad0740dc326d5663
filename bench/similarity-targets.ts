/** What similarity.ts has to reach, as ratios of one run, and what it reached. */
import type { Result, Variant } from './similarity-measure.js'
import { describeTarget as line } from './target.js'

/**
 * A line a target. Ours is what the planner chose.
 * @param results of searches for ten, by the number of queries: the best of each engine
 */
export function describeTargets(
  variants: readonly Variant[],
  results: ReadonlyMap<number, readonly Result[]>,
): string[] {
  const ours = variants.find(({ isChosen }) => isChosen)?.name ?? 'none'
  const ms = (batch: number, label: string): number =>
    results.get(batch)?.find((result) => result.label === label)?.ms ?? NaN
  const speeds = variants.flatMap(({ buildMbPerS }) => buildMbPerS ?? [])
  return [
    `  targets, k = 10, ours: ${ours}`,
    line('one query, 8 bits / reading float32', ms(1, 'q8') / ms(1, 'read'), 'at most', 0.3),
    // Of four bits only where the planner picks them: elsewhere they leave too much to score.
    ...(ours === 'q4'
      ? [line('one query, 4 bits / reading float32', ms(1, 'q4') / ms(1, 'read'), 'at most', 0.2)]
      : []),
    line('one query, FAISS / ours', ms(1, 'FAISS') / ms(1, ours), 'at least', 8),
    line('one query, USearch / ours', ms(1, 'USearch') / ms(1, ours), 'at least', 6),
    line('16 queries, FAISS / ours', ms(16, 'FAISS') / ms(16, ours), 'at least', 8),
    line('64 queries, FAISS / ours', ms(64, 'FAISS') / ms(64, ours), 'at least', 4),
    line('256 queries, FAISS / ours', ms(256, 'FAISS') / ms(256, ours), 'at least', 3.5),
    line('one query, no codes / sgemv', ms(1, 'none') / ms(1, 'sgemv'), 'at most', 1.2),
    line('one query, reading float32 / no codes', ms(1, 'read') / ms(1, 'none'), 'at least', 0.8),
    line('codes build, MB of float32 a second and core', Math.min(...speeds), 'at least', 150),
  ]
}
