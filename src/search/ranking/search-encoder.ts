/** The encoder of /search (--search-encoder). The built-in ranker has weights for some encoders only. */
import type { ServerSettings } from '../../base/config/settings.js'
import { ModelNotInstalledError, SettingsError } from '../../base/errors/index.js'
import { locateModel, resolveModel } from '../../models/registry/registry.js'
import { suggestion } from '../../base/util/suggest.js'
import { type RankerConfig, type RankerWeights, readRankerConfig } from './ranker-config.js'
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

/** Rejects with a SettingsError if the encoder cannot be used. */
export async function requireSearchEncoder({
  searchEncoder,
  modelsDir,
}: Pick<ServerSettings, 'searchEncoder' | 'modelsDir'>): Promise<void> {
  if (searchEncoder === autoEncoder) return
  weightsOf(await readRankerConfig(locateModel(builtinRanker, modelsDir).folder), searchEncoder)
  const { installed, repository } = resolveModel(searchEncoder, { modelsDir })
  if (installed) return
  const { remedy } = new ModelNotInstalledError(searchEncoder, repository)
  throw new SettingsError([
    `--search-encoder: ${searchEncoder} is not installed; run \`${remedy}\``,
  ])
}
