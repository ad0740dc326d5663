/** A query with the words that a language's file knows in English, in which the reader finds its roles. */
import type { Span } from '../reader/interpretation.js'
import { wordsOf } from '../../base/text/words.js'
import type { LanguageWords } from './lexicons.js'

export interface Gloss {
  /** English words, and the rest as it is. */
  readonly text: string
  /** Parts of the query that are cues, not what is described. */
  readonly cues: readonly Span[]
  /** Whether a span of `text` has a word that the language's file knows. */
  isEnglish(span: Span): boolean
  /** From a span of the query to that of `text`. */
  into(span: Span): Span
  /** From a span of `text` to that of the query. */
  back(span: Span): Span
}

/** @param isTitle whether a text is the title of a work, whose words stay as they are */
export type MakeGloss = (query: string, isTitle: (text: string) => boolean) => Gloss

/** A part of the query, and what it is in the gloss. */
interface Piece extends Span {
  readonly text: string
  readonly isCue: boolean
}

/** A phrase that begins somewhere, and where it ends. */
interface Found {
  readonly end: number
  readonly english: string
  readonly isCue: boolean
}

type FindAt = (from: number) => Found | undefined

export function createGloss(words: LanguageWords): MakeGloss {
  const finder = words.hasSpaces ? wordFinder(words) : textFinder(words)
  const behind = Object.entries(words.behind).flatMap(([english, phrases]) =>
    phrases.map((phrase): Behind => {
      const [, kind = '', suffix = ''] = /^\{(title|words)\}(.+)$/.exec(phrase) ?? []
      return { english, suffix, isTitle: kind === 'title' }
    }),
  )
  behind.sort((one, other) => other.suffix.length - one.suffix.length)
  return (query, isTitle) => {
    const findAt = finder(query)
    return glossOf(query, piecesOf(query, findAt, suffixFinder(query, behind, findAt, isTitle)))
  }
}

/** The longest phrase at each word. */
function wordFinder({ words, cues }: LanguageWords): (query: string) => FindAt {
  const phrases = new Map<string, { readonly english: string; readonly isCue: boolean }>()
  let longest = 1
  const add = (lists: LanguageWords['words'], isCue: boolean) => {
    for (const [english, others] of Object.entries(lists))
      for (const other of others) {
        const isOpen = other.endsWith('*')
        const key = wordsOf(other).map(({ folded }) => folded)
        longest = Math.max(longest, key.length)
        phrases.set(key.join(' ') + (isOpen ? '*' : ''), { english, isCue })
      }
  }
  add(words, false)
  add(cues, true)
  return (query) => {
    const found = wordsOf(query)
    const at = new Map(found.map((word, i) => [word.begin, i]))
    return (from) => {
      const first = at.get(from)
      if (first === undefined) return undefined
      for (let count = Math.min(longest, found.length - first); count > 0; count -= 1) {
        const some = found.slice(first, first + count)
        const end = some.at(-1)?.end ?? from
        const known = lookUp(some.map(({ folded }) => folded).join(' '))
        if (known) return { end, ...known }
      }
      return undefined
    }
  }

  function lookUp(key: string) {
    const whole = phrases.get(key)
    if (whole) return whole
    for (let length = key.length; length > shortestOpen; length -= 1) {
      const open = phrases.get(`${key.slice(0, length)}*`)
      if (open && !key.slice(length).includes(' ')) return open
    }
    return undefined
  }
}

/** A phrase with an open ending has more letters. */
const shortestOpen = 3

/** The longest phrase at each letter. */
function textFinder({ words, cues }: LanguageWords): (query: string) => FindAt {
  const all = [...Object.entries(words), ...Object.entries(cues)]
  const phrases = new Map(
    all.flatMap(([english, others]) =>
      others.map((other) => [other, { english, isCue: cues[english] !== undefined }] as const),
    ),
  )
  const longest = Math.max(...[...phrases.keys()].map(({ length }) => length))
  return (query) => (from) => {
    for (let length = Math.min(longest, query.length - from); length > 0; length -= 1) {
      const known = phrases.get(query.slice(from, from + length))
      if (known) return { end: from + length, ...known }
    }
    return undefined
  }
}

interface Behind {
  readonly english: string
  readonly suffix: string
  readonly isTitle: boolean
}

/** What a cue that follows belongs to, and the cue. */
interface Followed {
  readonly end: number
  readonly cue: Span
  readonly english: string
  readonly isTitle: boolean
}

/** Where what a cue belongs to is. */
const slot = /\{(?:title|words)\}/

/** At a place, a cue behind it in its clause, where what is between is a title or a phrase. */
function suffixFinder(
  query: string,
  behind: readonly Behind[],
  findAt: FindAt,
  isTitle: (text: string) => boolean,
): (from: number) => Followed | undefined {
  if (behind.length === 0) return () => undefined
  return (from) => {
    const [clause = ''] = /^[^\s,.;:!?、。，．！？…]*/u.exec(query.slice(from)) ?? []
    for (const { suffix, english, isTitle: wantsTitle } of behind) {
      const at = clause.indexOf(suffix, 1)
      if (at < 0) continue
      const cue = { begin: from + at, end: from + at + suffix.length }
      const between = query.slice(from, cue.begin).replace(/^[「『]|[」』]$/gu, '')
      if (wantsTitle ? isTitle(between) : findAt(from)?.end === cue.begin)
        return { end: cue.begin, cue, english, isTitle: wantsTitle }
    }
    return undefined
  }
}

function piecesOf(
  query: string,
  findAt: FindAt,
  findBehind: (from: number) => Followed | undefined,
): readonly Piece[] {
  const pieces: Piece[] = []
  let plain = 0
  let at = 0
  const flush = () => {
    if (plain < at)
      pieces.push({ begin: plain, end: at, text: query.slice(plain, at), isCue: false })
  }
  while (at < query.length) {
    const follows = findBehind(at)
    if (follows !== undefined) {
      flush()
      const { cue, end, english } = follows
      const [before = '', after = ''] = english.split(slot)
      pieces.push({ ...cue, text: ` ${before} `, isCue: true })
      const said = follows.isTitle ? undefined : findAt(at)?.english
      pieces.push({
        begin: at,
        end,
        text: `${said ?? query.slice(at, end)}${after} `,
        isCue: false,
      })
      at = cue.end
      plain = at
      continue
    }
    const found = findAt(at)
    if (found === undefined) {
      at += 1
      continue
    }
    flush()
    const { end, english, isCue } = found
    pieces.push({ begin: at, end, text: ` ${english} `, isCue })
    at = end
    plain = at
  }
  flush()
  return pieces
}

function glossOf(query: string, pieces: readonly Piece[]): Gloss {
  let text = ''
  const places: { readonly piece: Piece; readonly begin: number; readonly end: number }[] = []
  for (const piece of pieces) {
    const begin = text.length
    text += piece.text
    places.push({ piece, begin, end: text.length })
  }
  const cover = (spans: readonly Span[]): Span => ({
    begin: Math.min(...spans.map(({ begin }) => begin)),
    end: Math.max(...spans.map(({ end }) => end)),
  })
  const isPlain = ({ piece }: (typeof places)[number]) =>
    piece.text === query.slice(piece.begin, piece.end)
  return {
    text,
    cues: pieces.filter(({ isCue }) => isCue),
    isEnglish: ({ begin, end }) =>
      places.some((place) => place.begin < end && begin < place.end && !isPlain(place)),
    into({ begin, end }) {
      const touched = places.filter(({ piece }) => piece.begin < end && begin < piece.end)
      if (touched.length === 0) return { begin: 0, end: 0 }
      return cover(
        touched.map((place) =>
          isPlain(place)
            ? {
                begin: place.begin + Math.max(0, begin - place.piece.begin),
                end: place.begin + Math.min(end, place.piece.end) - place.piece.begin,
              }
            : place,
        ),
      )
    },
    back({ begin, end }) {
      const touched = places.filter((place) => place.begin < end && begin < place.end)
      if (touched.length === 0) return { begin: 0, end: 0 }
      return cover(
        touched.map((place) =>
          isPlain(place)
            ? {
                begin: place.piece.begin + Math.max(0, begin - place.begin),
                end: place.piece.begin + Math.min(end, place.end) - place.begin,
              }
            : place.piece,
        ),
      )
    },
  }
}
