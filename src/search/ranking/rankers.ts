/** The rankers that a /search request may name, and the default. */
import type { Catalogue } from '../../data/catalogue/catalogue.js'
import {
  type CrossEncoderFolders,
  findCrossEncoder,
  resolveCrossEncoder,
} from '../../models/registry/cross-encoders.js'
import type { CrossEncoders } from '../../models/residency/resident-cross-encoders.js'
import { createCrossEncoderRanker } from './cross-encoder-ranker.js'
import type { Ranker } from './ranker.js'

export interface Rankers {
  /**
   * Runs a task with a ranker and keeps it loaded meanwhile. Rejects with a ValidationError, a
   * ModelNotInstalledError or a ModelLoadError.
   * @param model a name, label or path; the default if absent
   * @param device `cpu`, `cuda` or `cuda:N`; the best available if absent
   */
  use<T>(model: string | undefined, device: string | undefined, task: RankTask<T>): Promise<T>
}

/** @param warnings where the result differs from the request */
type RankTask<T> = (ranker: Ranker, warnings: readonly string[]) => Promise<T>

export interface RankersOptions extends CrossEncoderFolders {
  readonly catalogue: Pick<Catalogue, 'text'>
  readonly crossEncoders: CrossEncoders
  /** Rankers that ship with the program, by name. All run on the CPU. */
  readonly builtin: ReadonlyMap<string, Ranker>
  /** The setting --cross-encoder. */
  readonly crossEncoder: string
}

export function createRankers(options: RankersOptions): Rankers {
  const { catalogue, crossEncoders, builtin } = options
  return {
    async use(model = options.crossEncoder, device, task) {
      // Looks at no file: every search runs this.
      const name = findCrossEncoder(model, options)?.name ?? model
      const own = builtin.get(name)
      if (own !== undefined) {
        const isCpu = device === undefined || device === 'cpu'
        return task(own, isCpu ? [] : [`${name} runs on the CPU only; ${device} is not used.`])
      }
      const location = await resolveCrossEncoder(model, options)
      return crossEncoders.use(location, device, (encoder, warnings) =>
        task(createCrossEncoderRanker(encoder, catalogue), warnings),
      )
    },
  }
}
