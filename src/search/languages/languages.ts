/** Other languages than English: which one a query is in, and how it is read. */
import type { Interpret } from '../reader/interpret.js'
import type { Interpretation, Reading, Span } from '../reader/interpretation.js'
import { type Detect, loadDetector } from './detect.js'
import { createGloss, type Gloss, type MakeGloss } from './gloss.js'
import { type LanguageWords, readLanguages } from './lexicons.js'

export interface Language {
  /** ISO 639-1. */
  readonly code: string
  /** In English. */
  readonly name: string
  /** Reads the query by its words in English; the interpretation speaks of the query as it is. */
  interpret(query: string, ignored?: readonly Span[]): Interpretation
}

export interface Titles {
  readonly interpret: Interpret
  /** Rows whose title is the whole text. */
  titleRows(text: string): readonly number[]
}

export interface Languages {
  /** Undefined for English, for a title, and where it is not certain. */
  languageOf(query: string, known: Titles): Promise<Language | undefined>
}

interface Known extends Pick<Language, 'code' | 'name'> {
  readonly gloss: MakeGloss
}

export function createLanguages(all: readonly LanguageWords[] = readLanguages()): Languages {
  const byCode = new Map(
    all.map((words) => {
      const known: Known = { code: words.code, name: words.name, gloss: createGloss(words) }
      return [words.code, known] as const
    }),
  )
  let detector: Promise<Detect> | undefined
  return {
    async languageOf(query, known) {
      detector ??= loadDetector([...byCode.keys()])
      const words = byCode.get((await detector)(query) ?? '')
      if (words === undefined || known.titleRows(query).length > 0) return undefined
      const isTitle = (text: string) => known.titleRows(text).length > 0
      const { code, name } = words
      return {
        code,
        name,
        interpret(text, ignored = []) {
          const gloss = words.gloss(text, isTitle)
          const kept = ignored.map((span) => gloss.into(span))
          const first = known.interpret(gloss.text, kept)
          // The reader takes words that it does not know for typos of English ones.
          const strange = strangeSpans(gloss, first)
          const read =
            strange.length === 0 ? first : known.interpret(gloss.text, [...kept, ...strange])
          return backFrom(gloss, read, text)
        },
      }
    },
  }
}

const works = new Set<Reading['kind']>(['title', 'like', 'makers'])

/** Readings of words that are not in English; names of works are the same in every language, but not in a story. */
function strangeSpans(gloss: Gloss, { readings, request = 0 }: Interpretation): readonly Span[] {
  const isRequest = request >= 0.5
  return readings.filter(
    (reading) => !gloss.isEnglish(reading) && !(isRequest && works.has(reading.kind)),
  )
}

/** Words of other languages are no names. */
function backFrom(
  gloss: Gloss,
  { unknownNames: _unknown, ...read }: Interpretation,
  query: string,
): Interpretation {
  const readings = read.readings.map(({ either, ...reading }): Reading => ({
    ...reading,
    ...gloss.back(reading),
    ...(either !== undefined && { either: gloss.back({ begin: either, end: either + 1 }).begin }),
  }))
  readings.sort((one, other) => one.begin - other.begin)
  const dropped = readings.filter(({ kind, excluded }) => excluded || kind !== 'topic')
  const { request = 0 } = read
  const spans = [...dropped, ...(request < 0.5 ? [] : gloss.cues)]
  return { ...read, readings, text: readings.length === 0 ? query : without(query, spans) }
}

function without(query: string, spans: readonly Span[]): string {
  const isLeft = Array.from({ length: query.length }, () => true)
  for (const { begin, end } of spans) isLeft.fill(false, begin, end)
  const left = Array.from({ length: query.length }, (_, i) =>
    isLeft[i] === false ? ' ' : query[i],
  )
  const text = left.join('').replaceAll(/\s+/gu, ' ').trim()
  return /[\p{L}\p{N}]/u.test(text) ? text : ''
}
