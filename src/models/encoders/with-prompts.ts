/** An encoder that puts a model's prompts before the texts that are queries or passages. */
import type { TextPrompts } from '../registry/registry-file.js'
import type { WorkerEncoder } from './worker-encoder.js'

/** Token ids stay as they are. */
export function withPrompts(
  encoder: WorkerEncoder,
  prompts: TextPrompts | undefined,
): WorkerEncoder {
  if (prompts === undefined) return encoder
  return {
    ...encoder,
    get device() {
      return encoder.device
    },
    encode(texts, options = {}) {
      const { as } = options
      if (as === undefined) return encoder.encode(texts, options)
      const prompted = texts.map((text) => (typeof text === 'string' ? prompts[as] + text : text))
      return encoder.encode(prompted, options)
    },
  }
}
