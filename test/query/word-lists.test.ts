/** Lists of single words, which an operator may edit: each is what one rule reads by. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createInterpreter, type Interpret } from '#synoptic/query/interpret.js'
import { readLexicon, readTagWords } from '#synoptic/query/lexicon.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-words-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const file = 'data/query/en.json'
const lexicon = readLexicon(file)
const tags = readTagWords('data/works/tags.json')
const exact = (text: string) =>
  ['naruto', 'death note'].flatMap((title, row) =>
    title === text.toLowerCase() ? [{ row, title, similarity: 1 }] : [],
  )
const titles = { exact, match: exact, known: exact, sure: exact, mentions: () => [] }
const names = { genres: ['Comedy', 'Romance'], studios: [], people: [] }

type Lists = typeof lexicon.wordLists
const readerWith = (lists: Partial<Lists>) =>
  createInterpreter({
    lexicon: { ...lexicon, wordLists: { ...lexicon.wordLists, ...lists } },
    tags,
    names,
    titles,
  })
const shippedWords = readerWith({})
const read = (interpret: Interpret, query: string) =>
  interpret(query).readings.map(
    ({ kind, label, excluded }) => `${excluded ? 'not ' : ''}${kind} ${label}`,
  )

describe('without its words, a rule reads something else', () => {
  it.each<[Partial<Lists>, string, string[], string[]]>([
    [{ children: [] }, '8 year old daughter', ['audience 8 year old daughter'], []],
    [
      { relatives: [] },
      'my little brother is 8 years old',
      ['topic brothers', 'audience 8 years old'],
      ['topic brothers'],
    ],
    [
      { adults: {} },
      'comedy, woman over 30',
      ['topic Comedy', 'topic woman over 30'],
      ['topic Comedy'],
    ],
    [{ institutions: [] }, 'an institute for kids', ['topic kids'], ['audience for kids']],
    [
      { disputes: [] },
      'war over magic',
      ['topic war', 'topic magic'],
      ['topic war', 'not topic magic'],
    ],
    [
      { requests: [] },
      `tired of school where everybody talks and she wakes up, want a hero`,
      ['not topic school', 'not topic talk'],
      ['topic school', 'topic talk'],
    ],
    [{ deedsOfPeople: [] }, 'naruto wants me to stay', [], ['like naruto']],
    [
      { partNouns: [] },
      'naruto ova please i want to watch',
      ['title naruto', 'type ova'],
      ['like naruto', 'type ova'],
    ],
    [{ toldParts: {} }, 'naruto the one in egypt', ['title naruto'], ['topic egypt']],
    [{ toldPartsOfSeries: [] }, 'season of naruto with the exam', ['title naruto'], []],
    [
      { finished: [] },
      'just finished a sad anime, comedy please',
      ['topic Comedy'],
      ['topic sad anime', 'topic Comedy'],
    ],
    [
      { finishedWorks: [] },
      'just finished a sad book, comedy please',
      ['topic Comedy'],
      ['topic sad', 'topic books', 'topic Comedy'],
    ],
    [{ moreOfIt: [] }, 'just finished a sad show, want more', ['topic sad'], []],
  ])('%j: %s', (lists, query, shipped, without) => {
    expect(read(shippedWords, query)).toEqual(shipped)
    expect(read(readerWith(lists), query)).toEqual(without)
  })
})

it.each<[Partial<Lists>, string, string]>([
  [{ children: ['grandchild'] }, 'for my 8 year old grandchild', 'audience 8 year old grandchild'],
  [{ adults: { 'adult-cast': ['chef'] } }, 'chef over 30', 'topic chef over 30'],
])('%j adds words: %s', (lists, query, reading) => {
  expect(read(shippedWords, query)).not.toContain(reading)
  expect(read(readerWith(lists), query)).toContain(reading)
})

describe('a file is refused', () => {
  it.each([
    [{ kin: ['daughter'] }, /kin/],
    [{ children: 'daughter' }, /Array/],
    [{ children: [''] }, /Invalid length/],
    [{ adults: ['woman'] }, /string|Invalid/],
    [{ toldParts: { season: 'tv' } }, /Array/],
  ])('%j', (wordLists, message) => {
    const edited = join(folder, 'en.json')
    writeFileSync(edited, JSON.stringify({ ...lexicon, wordLists }))
    expect(() => readLexicon(edited)).toThrow(message)
  })
})
