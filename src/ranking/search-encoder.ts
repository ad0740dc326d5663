/** The encoder of /search, the setting --search-encoder: one that the built-in ranker is fitted with. */
import type { ServerSettings } from '../config/settings.js'
import { SettingsError } from '../errors/settings-error.js'
import { placeOf, resolveModel } from '../models/registry.js'
import { suggestion } from '../util/suggest.js'
import { type Blend, type BlendWeights, readBlend } from './blend.js'
import { builtinRanker } from './builtin-ranker.js'

/** @throws SettingsError where the blend was not fitted with that encoder */
export function weightsOf({ weights }: Blend, encoder: string): BlendWeights {
  const own = weights.get(encoder)
  if (own !== undefined) return own
  const names = [...weights.keys()]
  throw new SettingsError([
    `--search-encoder: expected ${names.join(' or ')}, which ${builtinRanker} is fitted with; ` +
      `received ${encoder}${suggestion(encoder, names)}`,
  ])
}

/** Rejects with a SettingsError where the encoder cannot be used. */
export async function requireSearchEncoder({
  searchEncoder,
  modelsDir,
}: Pick<ServerSettings, 'searchEncoder' | 'modelsDir'>): Promise<void> {
  weightsOf(await readBlend(placeOf(builtinRanker, modelsDir).folder), searchEncoder)
  if (resolveModel(searchEncoder, { modelsDir }).installed) return
  throw new SettingsError([
    `--search-encoder: ${searchEncoder} is not installed; ` +
      `run \`synoptic models pull ${searchEncoder}\``,
  ])
}
