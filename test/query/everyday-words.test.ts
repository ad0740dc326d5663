/** Everyday words and phrases, and the tags that people mean by them. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import { readLexicon, readTagWords } from '#synoptic/query/lexicon.js'

const phrases = Object.entries(
  JSON.parse(readFileSync('tools/fit-ranker/queries/phrases.json', 'utf8')) as Record<
    string,
    readonly string[]
  >,
)
const none = () => []
const interpret = createInterpreter({
  lexicon: readLexicon('data/query/en.json'),
  tags: readTagWords('data/works/tags.json'),
  names: { genres: ['Action', 'Comedy', 'Horror', 'Romance'], studios: ['feel.'], people: [] },
  titles: { exact: none, match: none, mentions: none },
})
const meant = (query: string) =>
  interpret(query).readings.flatMap((reading) =>
    reading.kind === 'topic'
      ? [...reading.tags, ...reading.genres.map((genre) => `genre:${genre}`)]
      : [reading.kind],
  )

describe('everyday words', () => {
  it.each(phrases)('%j is read', (phrase, wanted) => {
    const read = [...meant(`${phrase} anime`), ...meant(`something ${phrase}`)]
    expect(read.filter((one) => wanted.includes(one))).not.toEqual([])
  })

  it('are no studio: what feels like a warm hug is not by feel.', () => {
    expect(meant('anime that feels like a warm hug')).not.toContain('studio')
    expect(meant('cozy anime by feel')).toContain('studio')
  })

  it('are no game where somebody goes', () => {
    expect(meant('isekai characters go to school together')).not.toContain('board-games')
    expect(meant('anime about go')).toContain('board-games')
  })

  it('are no cast of boys where there is one', () => {
    expect(meant('only boy at an academy')).not.toContain('all-boy-cast')
    expect(meant('boys only')).toContain('all-boy-cast')
  })

  it('tell the plural of a word on -ie', () => {
    expect(meant('movies')).toEqual(['type'])
    expect(meant('zombies')).toEqual(meant('zombie'))
  })
})

describe('ages', () => {
  it('of children ask for works for children, and nobody is old', () => {
    expect(meant('shows for my 8 year old daughter')).toEqual(['audience'])
    expect(meant('for a 30 year old man')).not.toContain('years')
    expect(meant('for a 30 year old man')).not.toContain('audience')
    expect(meant('an old anime')).toEqual(['years'])
  })
})
