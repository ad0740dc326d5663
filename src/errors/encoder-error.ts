/** A loaded model failed to encode: its worker died, ran out of memory, or was closed. */
export class EncoderError extends Error {
  override readonly name = 'EncoderError'
  readonly model: string
  /** `closed`: open the encoder again; `failed`: the same texts may succeed on the next attempt. */
  readonly reason: 'closed' | 'failed'

  constructor(model: string, reason: 'closed' | 'failed', detail: string, options?: ErrorOptions) {
    super(`The encoder of ${model} ${detail}`, options)
    this.model = model
    this.reason = reason
  }
}
