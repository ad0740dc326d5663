/** The words of other languages that queries have in common with English: data/query/languages, one file a language. */
import { readdirSync, readFileSync } from 'node:fs'
import * as v from 'valibot'

const phrases = v.array(v.pipe(v.string(), v.trim(), v.nonEmpty()))

const languageFile = v.strictObject({
  /** ISO 639-1. */
  code: v.pipe(v.string(), v.length(2)),
  /** In English. */
  name: v.pipe(v.string(), v.nonEmpty()),
  /** Whether words are written apart. */
  hasSpaces: v.boolean(),
  /** English words, and the words that mean the same; `*` at the end of a word means any ending. */
  words: v.record(v.string(), phrases),
  /** The same of words that say what a name or a fact is to the person, and of those that say nothing. */
  cues: v.record(v.string(), phrases),
  /** Cues behind what they belong to: `{title}のような` means `like {title}`, `{words}なし` means `no {words},`. */
  behind: v.optional(v.record(v.string(), phrases), {}),
})

export type LanguageWords = v.InferOutput<typeof languageFile>

const folder = new URL('../../../data/query/languages/', import.meta.url)

/** @throws v.ValiError where a file is not of that form, or an Error of the file system */
export const readLanguages = (from: URL = folder): readonly LanguageWords[] =>
  readdirSync(from)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => v.parse(languageFile, JSON.parse(readFileSync(new URL(file, from), 'utf8'))))
