/** What compares queries in other languages than English, and what the answer says about it. */
import type { Language } from '../languages/languages.js'
import type { FirstStage } from '../ranking/first-stage.js'

export interface OtherLanguages {
  /** Undefined where no model of other languages has vectors of all works. */
  readonly firstStage?: FirstStage | undefined
  /** The model that compares them. */
  readonly encoder?: string | undefined
  /** The command that adds one; undefined where there is one, or it is on its way. */
  readonly remedy?: string | undefined
}

export interface QueryLanguage {
  /** ISO 639-1. */
  readonly code: string
  /** In English. */
  readonly name: string
  /** Null where the texts are compared as if the query were English, which finds little. */
  readonly encoder: string | null
  readonly remedy?: string
}

export const describeLanguage = (
  { code, name }: Language,
  { encoder, remedy }: OtherLanguages = {},
): QueryLanguage => ({ code, name, encoder: encoder ?? null, ...(remedy && { remedy }) })
