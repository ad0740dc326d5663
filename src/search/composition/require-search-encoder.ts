/** Checks `--search-encoder` before anything is opened. */
import type { ServerSettings } from '../../base/config/settings.js'
import { ModelNotInstalledError, SettingsError } from '../../base/errors/index.js'
import { locateModel } from '../../models/registry/registry.js'
import { resolveModel } from '../../models/registry/resolve-model.js'
import { builtinRanker } from '../ranking/builtin-ranker.js'
import { readRankerConfig } from '../ranking/ranker-config.js'
import { autoEncoder, weightsOf } from '../ranking/search-encoder.js'

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
