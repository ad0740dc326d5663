/** Phrases that say what a work lacks: `nobody dies`. */
import type { FactPhrase } from './fact-phrase.js'
import type { Lexicon } from './lexicon.js'

const lackingConfidence = 0.89

/** With the tags that a work lacks of which they are said. */
export const lackingPhrases = ({ lacking }: Lexicon): (readonly [string, FactPhrase])[] =>
  Object.entries(lacking).flatMap(([tag, phrases]) =>
    phrases.map((words) => {
      const fact = { kind: 'topic' as const, genres: [], tags: [tag] }
      const said = { label: words, confidence: lackingConfidence, needsMaker: false }
      return [words, { fact, ...said, canLack: false, isLacking: true }] as const
    }),
  )
