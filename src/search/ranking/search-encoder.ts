/** The encoder of /search (--search-encoder). The built-in ranker has weights for some encoders only. */
import { SettingsError } from '../../base/errors/index.js'
import { suggestion } from '../../base/util/suggest.js'
import type { RankerConfig, RankerWeights } from './ranker-config.js'
import { builtinRanker } from './builtin-ranker.js'

/** The setting that leaves the choice to what is embedded. */
export const autoEncoder = 'auto'

/** @throws SettingsError if the ranker has no weights for that encoder */
export function weightsOf({ rankerWeights }: RankerConfig, encoder: string): RankerWeights {
  const own = rankerWeights.get(encoder)
  if (own !== undefined) return own
  const names = [...rankerWeights.keys(), autoEncoder]
  throw new SettingsError([
    `--search-encoder: expected ${names.join(' or ')}, received ${encoder}; ` +
      `${builtinRanker} has weights for no other encoder${suggestion(encoder, names)}`,
  ])
}
