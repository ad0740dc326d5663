/** A loaded model did not encode: its worker died, ran out of memory, was closed, or gave no numbers. */
export class EncoderError extends Error {
  override readonly name = 'EncoderError'
  readonly model: string
  /** What stands behind the model's name in the message. */
  readonly detail: string
  /** `closed`: open the encoder again; `failed`: the same texts may succeed on the next attempt. */
  readonly reason: 'closed' | 'failed'

  /** Positions of the texts that the model gave no finite vector; empty where it failed otherwise. */
  readonly texts: readonly number[]

  constructor(
    model: string,
    reason: 'closed' | 'failed',
    detail: string,
    { texts = [], ...options }: ErrorOptions & { readonly texts?: readonly number[] } = {},
  ) {
    super(`The encoder of ${model} ${detail}`, options)
    this.detail = detail
    this.texts = texts
    this.model = model
    this.reason = reason
  }
}
