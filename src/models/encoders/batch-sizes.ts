/** How many tokens a model reads at once. */
import { maxSquaredTokens } from './cross-queue.js'

/**
 * A transformer's small batch is as fast as any on most CPUs, because the activations of a large one leave the
 * caches (all-MiniLM-L6-v2 with one thread takes 9.8 ms of CPU a text with 256, 9.4 with 512, 9.9 with 1024,
 * 10.6 with 2048), and is all that an interactive request waits for behind bulk work. More threads
 * may gain by more. A static model's work is so little that the calls would cost more.
 */
export const batchSizes = {
  transformer: { cpu: [256, 512, 1024, 2048], cuda: [4096, 16_384, 65_536] },
  static: { cpu: [8192], cuda: [8192] },
}

/** Most that a model reads at once on a GPU; of a cross-encoder pairs x padded tokens². */
export const maxCudaBatch = {
  tokens: Math.max(...batchSizes.transformer.cuda),
  staticTokens: Math.max(...batchSizes.static.cuda),
  squaredTokens: maxSquaredTokens.cuda,
}
