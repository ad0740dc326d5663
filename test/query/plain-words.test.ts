/** Plain words for people, their ages, times, and how a story is told or ends. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import { readLexicon, readTagWords } from '#synoptic/query/lexicon.js'
import type { TitleMatch } from '#synoptic/query/interpretation.js'

const none = () => []
const options = {
  lexicon: readLexicon('data/query/en.json'),
  tags: readTagWords('data/works/tags.json'),
  names: { genres: ['Action', 'Comedy', 'Romance'], studios: [], people: ['Group SNE'] },
  titles: { exact: none, match: none, mentions: none },
}
const interpret = createInterpreter(options)
const meant = (query: string) =>
  interpret(query).readings.flatMap((reading) => {
    const read = reading.kind === 'topic' ? reading.tags : [reading.kind]
    return read.map((one) => (reading.excluded ? `not ${one}` : one))
  })

describe('the age of those of whom a work tells', () => {
  it.each([
    ['woman over 30', 'adult-women'],
    ['romance with a woman past forty', 'adult-women'],
    ['heroine over 30', 'adult-women'],
    ['heroine in her late 30s', 'adult-women'],
    ['love life in her forties', 'adult-women'],
    ['protagonist in her thirties', 'adult-women'],
    ['love life in his forties', 'middle-aged-man'],
    ['a man over 40 with a sword', 'middle-aged-man'],
    ['couple in their 30s', 'adult-cast'],
    ['protagonist over thirty', 'adult-cast'],
  ])('%s means %s', (query, tag) => {
    expect(meant(query)).toContain(tag)
    expect(meant(query)).not.toContain('years')
  })

  it.each([
    'a man over 30 feet',
    'woman over 30 years of war',
    'anime over 30',
    'man over 10',
    'over 30',
    'a heroine in the 90s',
    'man. over 30',
    'in her 80s',
  ])('is not told by %s', (query) => {
    const ages = ['adult-women', 'middle-aged-man', 'adult-cast']
    expect(meant(query).filter((one) => ages.includes(one))).toEqual([])
  })
})

describe('the age of a child', () => {
  it.each([
    'watch with my 6 yr old daughter',
    'for my 6yr old',
    'for my six year old',
    'my son is seven years old',
  ])('%s asks for works for children', (query) => {
    expect(meant(query)).toContain('audience')
    expect(meant(query)).not.toContain('years')
  })

  it.each([
    'raises a four year old daughter',
    'a six yr old boy',
    '6yr old boy',
    'ten years old vampire',
    'my thirty year old sister',
  ])('%s asks for none', (query) => {
    expect(meant(query)).not.toContain('audience')
    expect(meant(query)).not.toContain('years')
  })
})

describe('parts that stand alone', () => {
  it.each([
    'each episode a new town',
    'each ep a new case',
    'a different story every episode',
    'each chapter one customer',
    'one shop, each episode one guest',
    'new strange client each week',
    'every chapter another ghost',
    'stories of the week',
  ])('are meant by %s', (query) => {
    expect(meant(query)).toContain('episodic')
    expect(meant(query)).not.toContain('years')
  })

  it.each([
    'a new town',
    'every episode is new',
    'different town, every episode is great',
    'better than every other one',
    'waits for every chapter one',
    'one episode each week',
    'moves to a new town every year',
    'watch every episode',
    'each new episode',
    'a new anime every week',
    'another episode every week',
  ])('are not meant by %s', (query) => {
    expect(meant(query)).not.toContain('episodic')
  })
})

describe('how it ends', () => {
  it.each([
    ['the guy does NOT get the girl in the end', 'lost-love'],
    ["he doesn't get the girl", 'unrequited-love'],
    ['romance where they dont end up together', 'lost-love'],
    ['romance where they end up together', 'happy-ending'],
    ['he gets the girl', 'happy-ending'],
  ])('%s means %s', (query, tag) => {
    expect(meant(query)).toContain(tag)
    const other = tag === 'happy-ending' ? 'lost-love' : 'happy-ending'
    expect(meant(query)).not.toContain(other)
  })

  it('is not told by what happened to who asks', () => {
    expect(meant('just got dumped so something to cheer me up')).not.toContain('lost-love')
    expect(meant('just got dumped')).toContain('lost-love')
  })
})

describe('plain words', () => {
  it.each([
    ['shy girl learns to talk to people', 'social-awkwardness', 'dialogue-heavy'],
    ['two women living together', 'adult-women', 'all-boy-cast'],
    ['reborn as something dumb like an object', 'turned-into-something', 'like'],
    ['slice of life with monsters and humans', 'magic-in-our-world', 'monsters'],
    ['sailors and rough men', 'ocean', 'title'],
    ['big family', 'siblings', 'years'],
    ['light hearted fun', 'lighthearted', 'death-gods'],
    ['like downton abbey', 'victorian-and-edwardian', 'big-city'],
    ['girl assassins', 'strong-heroine', 'title'],
    ['girl assassins', 'assassin', 'title'],
    ['adults, not turned young', 'not age-change', 'age-change'],
    ['civilians in war', 'everyday-life', 'military'],
    ['1800s romance', 'victorian-and-edwardian', 'years'],
    ['romance 1890s', 'meiji-japan', 'years'],
    ['18th century drama', 'historical-europe', 'years'],
    ['from town to town', 'journey', 'title'],
    ['a band of boys rather than idols', 'all-boy-cast', 'idols'],
    ['movie, no sad parent deaths', 'not grief', 'grief'],
    ['cooking without battles', 'not tournament', 'rivalry'],
  ])('%s means %s and no %s', (query, tag, other) => {
    expect(meant(query)).toContain(tag)
    expect(meant(query)).not.toContain(other)
  })

  it.each([
    ['a sailor uniform', 'ocean'],
    ['downton', 'big-city'],
    ['a boy who ships his friends', 'ocean'],
    ['sneer', 'person'],
  ])('%s means no %s', (query, other) => {
    expect(meant(query)).not.toContain(other)
  })

  it('have an accent where an apostrophe is meant', () => {
    expect(meant('romance, doesn´t get the girl')).toContain('lost-love')
    expect(meant('he isn`t human')).toEqual(meant("he isn't human"))
  })

  it('tell for whom something is wished, and what they like', () => {
    expect(meant('for my mum, she likes crime shows')).toContain('fame')
    expect(meant('for my mum, she likes crime shows')).toContain('crime')
    expect(meant('a crime for my mum, she is dead and they like it')).not.toContain('fame')
  })
})

describe('titles', () => {
  const titled = (...titles: string[]) => {
    const find = (text: string): readonly TitleMatch[] =>
      titles.flatMap((title, row) => (title === text ? [{ row, title, similarity: 1 }] : []))
    const mentions = (query: string) =>
      titles.flatMap((title, row) => {
        const begin = query.indexOf(title)
        return begin < 0 ? [] : [{ begin, end: begin + title.length, title, rows: [row] }]
      })
    return { exact: find, match: find, mentions, misremembered: none }
  }
  const labelsOf = (query: string, titles: object) =>
    createInterpreter({ ...options, titles: { ...options.titles, ...titles } })(
      query,
    ).readings.flatMap(({ kind, label }) => (kind === 'title' ? [label] : []))

  it('are none inside a longer phrase', () => {
    const titles = titled('place to place')
    expect(labelsOf('they travel from place to place', titles)).toEqual([])
    expect(labelsOf('anime called place to place with travel', titles)).toEqual(['place to place'])
  })

  describe('of which words in the middle are forgotten', () => {
    const title = 'Dead Dead Demons Dededede Destruction'
    const has = (text: string) =>
      text.split(' ').every((word) => title.toLowerCase().split(' ').includes(word))
    const match = (text: string) => (has(text) ? [{ row: 0, title, similarity: 0.86 }] : [])

    it.each([
      'dead dead demons something destruction',
      'dead dead demons something something destruction',
      'dead dead demons de something destruction',
      'dead demons blah blah destruction',
    ])('%s', (query) => {
      expect(labelsOf(query, { match })).toEqual([title])
    })

    it.each([
      ['destruction something dead demons', 'in another order'],
      ['demons something destruction', 'too few words'],
      ['dead dead demons something castle', 'with another word'],
      ['dead dead demons want destruction', 'without forgotten words'],
    ])('are no title: %s is %s', (query) => {
      expect(labelsOf(query, { match })).toEqual([])
    })
  })

  it('of a few letters are spelt so: who is fat is no Fate', () => {
    const match = (similarity: number) => () => [{ row: 0, title: 'Fate', similarity }]
    expect(labelsOf('fat', { match: match(0.9) })).toEqual([])
    expect(labelsOf('fat', { match: match(1) })).toEqual(['Fate'])
    expect(labelsOf('fatt', { match: match(0.9) })).toEqual(['Fate'])
  })

  it('are not meant by a wrong word where all words are subjects: police at work', () => {
    const misremembered = () => [{ row: 0, title: 'Cells at Work!', similarity: 0.9 }]
    expect(labelsOf('police at work', { misremembered })).toEqual([])
    expect(labelsOf('sells at work', { misremembered })).toEqual(['Cells at Work!'])
  })

  it('begin with the singular of a phrase: sailor', () => {
    const match = () => [{ row: 0, title: 'Sailor Moon', similarity: 0.86 }]
    expect(labelsOf('sailor', { match })).toEqual(['Sailor Moon'])
    expect(labelsOf('sailors', { match })).toEqual([])
  })
})
