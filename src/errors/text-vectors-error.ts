/** A model gives some texts of a catalogue no vector that could be compared. */
export class TextVectorsError extends Error {
  override readonly name = 'TextVectorsError'
  /** The command that tells more about the model. */
  readonly remedy: string

  /** @param texts what a person finds each text by */
  constructor(model: string, texts: readonly string[], options?: ErrorOptions) {
    const shown = texts.slice(0, maxShown).join('; ')
    const more = texts.length > maxShown ? `; and ${texts.length - maxShown} more` : ''
    super(`The model ${model} gives NaN, infinity or zeros alone for ${shown}${more}`, options)
    this.remedy = `synoptic models check ${model}`
  }
}

const maxShown = 5
