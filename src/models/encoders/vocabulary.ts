/** The token ids that a model takes in place of texts. */
export interface Vocabulary {
  /** Ids are below it; 0 of a cross-encoder, which takes texts only. */
  readonly size: number
  /** What tokenizer.json puts before and after the tokens of a text, such as [CLS] and [SEP]. */
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** Whether the model reads them; a static one does not. */
  readonly areRead: boolean
}

export const noVocabulary: Vocabulary = { size: 0, before: [], after: [], areRead: false }
