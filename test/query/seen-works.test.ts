/** Works that somebody says they know, crosses or changes to say what they want. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import type { TitleLookup } from '#synoptic/query/interpretation.js'
import { readLexicon } from '#synoptic/query/lexicon.js'

const titles = [
  'Mushishi',
  'Death Note',
  'Chainsaw Man',
  'Monster',
  'Another',
  'Rurouni no Ken',
  'Given',
]
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ')
const exact = (text: string) =>
  titles.flatMap((title, row) =>
    plain(title) === plain(text) ? [{ row, title, similarity: 1 }] : [],
  )
/** Names by which well-known works are called. */
const names = new Map([
  ['jojo', "JoJo's Bizarre Adventure"],
  ['rurouni', 'Rurouni no Ken'],
])
const known = (text: string) => {
  const title = names.get(text)
  return title === undefined ? exact(text) : [{ row: 9, title, similarity: 0.86 }]
}
/** Names that hardly any text has. */
const sure = (text: string) => exact(text).filter(({ title }) => !everyday.has(title))
const everyday = new Set(['Monster', 'Another', 'Given'])
const lookup: TitleLookup = { exact, match: exact, known, sure, mentions: () => [] }
const tag = (name: string) => ({ tag: name, name, synonyms: [] })
const interpret = createInterpreter({
  lexicon: readLexicon('data/query/en.json'),
  tags: ['dark', 'harem', 'monsters', 'war', 'school', 'chainsaw'].map(tag),
  names: { genres: ['Romance', 'Comedy', 'Supernatural'], studios: [], people: [] },
  titles: lookup,
})
const read = (query: string) =>
  interpret(query).readings.map(
    ({ kind, label, excluded }) => `${excluded ? 'not ' : ''}${kind} ${label}`,
  )
const likes = (query: string) =>
  interpret(query).readings.flatMap(({ kind, label }) => (kind === 'like' ? [label] : []))

describe('works that somebody says they know', () => {
  it.each([
    'finished Mushishi up to where it stops. School with an ending?',
    'finished mushishi up to the war, something dark',
    'what would a mushishi fan enjoy',
    "what would a mushishi fan who's turned thirty enjoy",
  ])('may be one: %s', (query) => {
    expect(likes(query)).toEqual(['Mushishi'])
  })

  it.each([
    'a boy finished Mushishi up to where it stops',
    'finished mushishi up to where it stops',
    'a girl is a mushishi fan who falls in love',
    'a school fan who falls in love',
  ])('are none in %s', (query) => {
    expect(likes(query)).toEqual([])
  })

  it.each([
    ['mushishi wants me to stay', []],
    ['mushishi tells me a secret', []],
    ['mushishi left me sad', ['Mushishi']],
    ['mushishi something something rotten', []],
    ['mushishi, something dark', ['Mushishi']],
  ])('are none that do what somebody does: %s', (query, read) => {
    expect(likes(query)).toEqual(read)
  })

  it.each([
    'loved death note and mushishi',
    'finished death note and mushishi, want something dark',
    "i've finished death note and mushishi. what next?",
    'just binged death note, mushishi',
    'my gf and me watched death note and mushishi, looking for a romance, not too dark',
    'only seen death note + mushishi',
    'just caught up with death note & mushishi',
    'my daughter loves death note and mushishi',
    'i loved the humor in death note, mushishi',
    // A work that the catalogue lacks is between them.
    'i loved death note, lying game and mushishi, what else',
    'death note and mushishi, what next',
    'death note meets mushishi',
    'death note x mushishi kind of thing',
    'death note and mushishi are my favorites',
    'death note + mushishi type shows',
    'similar shows to death note and mushishi',
    'same energy as death note and mushishi',
    'death note and mushishi blew me away. what other anime should i watch',
    'ok so death note, mushishi were lovely, looking for another',
  ])('%s', (query) => {
    expect(likes(query)).toEqual(['Death Note', 'Mushishi'])
  })

  it.each([
    ['after mushishi', 'Mushishi'],
    ['jojo vibes', "JoJo's Bizarre Adventure"],
    ['jojo type anime', "JoJo's Bizarre Adventure"],
    ['loved jojo', "JoJo's Bizarre Adventure"],
    ['watched monster what next', 'Monster'],
    ['mushishi left me empty. more of that', 'Mushishi'],
    ['more of mushishi', 'Mushishi'],
    ['a mushishi replacement', 'Mushishi'],
    ['parecidos a mushishi', 'Mushishi'],
    ['animes parecidos com mushishi', 'Mushishi'],
    ['anime wie mushishi', 'Mushishi'],
    ['animes comme mushishi', 'Mushishi'],
    ['anime simili a mushishi', 'Mushishi'],
    // Its end is disliked, and not the work.
    ['hated how death note ended', 'Death Note'],
    ['hated the ending of death note, want something dark', 'Death Note'],
    ['mushishi like anime', 'Mushishi'],
    ['mushishi like hero', 'Mushishi'],
  ])('%s names %s alone', (query, title) => {
    expect(likes(query)).toEqual([title])
  })

  it('end with the first in a told story', () => {
    expect(likes('Like Mushishi, monster eaters and death note hunt him')).toEqual(['Mushishi'])
    expect(likes('like Mushishi, spirits and death note')).toEqual(['Mushishi', 'Death Note'])
  })

  it('leave the rest to be read', () => {
    expect(read('finished death note, want something dark without romance')).toEqual([
      'like Death Note',
      'topic dark',
      'not topic Romance',
    ])
    expect(read('loved the comedy in death note')).toEqual(['topic Comedy', 'like Death Note'])
  })

  it.each([
    'a boy who loves death note after he finished school',
    'a detective has seen a monster',
    'an old soldier watched monster hunters die',
    'robots loved mushishi soup',
    'another',
    'i watched another',
    'boy meets girl',
    'a soldier meets mushishi eaters',
    'after monster attacks',
    'finished romance',
    `a soldier who watched death note ${'and told of war at length '.repeat(4)}`,
    "i didn't like mushishi",
    'romance, did not really like mushishi',
    'never seen death note',
    "i don't want anything like death note",
    'havent watched mushishi',
    'mushishi like hero with a sword',
    'a death note like nerd who has a puzzle',
    'hated death note',
  ])('%s names none', (query) => {
    expect(likes(query)).toEqual([])
  })
})

describe('a work that is wanted otherwise', () => {
  it.each([
    ['jojo but dark', ["like JoJo's Bizarre Adventure", 'topic dark']],
    ['death note without the harem', ['like Death Note', 'not topic harem']],
    ['jojo no romance', ["like JoJo's Bizarre Adventure", 'not topic Romance']],
    ['mushishi with romance', ['like Mushishi', 'topic Romance']],
    // The `no` of a title excludes nothing, and the longest name wins.
    ['rurouni no ken no romance', ['like Rurouni no Ken', 'not topic Romance']],
    ['chainsaw man but longer', ['like Chainsaw Man', 'length long']],
    ['like chainsaw man but shorter', ['like Chainsaw Man', 'length short']],
  ])('%s', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })

  it.each([
    'rurouni no kenshi',
    'mushishi with the old man',
    'monster with romance',
    'harem without romance',
    'another without romance',
    'mushishi no',
    'mushishi without',
  ])('%s names none', (query) => {
    expect(likes(query)).toEqual([])
  })
})

describe('words of chat', () => {
  it.each(['romance lol', 'tbh romance', 'romance pls ty', 'idk, romance btw'])(
    '%s asks for nothing else',
    (query) => {
      expect(interpret(query)).toMatchObject({ explained: 1, readings: [{ label: 'Romance' }] })
    },
  )
})

/** Likes, and works that are refused with `not` before them. */
const works = (query: string) =>
  interpret(query).readings.flatMap(({ kind, label, excluded }) => {
    if (kind === 'title' && excluded) return [`not ${label}`]
    return kind === 'like' ? [label] : []
  })

describe('a work that a post names', () => {
  it.each([
    // One that is praised, or said to be close.
    ['mushishi was close. tell me another', ['Mushishi']],
    ['monster was close. tell me another', ['Monster']],
    ['monster is great. looking for something dark', ['Monster']],
    ['monster is my thing. looking for something dark', ['Monster']],
    ['mushishi is slow. looking for something dark', ['Mushishi']],
    ['given is my all time favourite, what now', ['Given']],
    ['mushishi is over and i am sad', ['Mushishi']],
    ['big mushishi fan, suggestions?', ['Mushishi']],
    [
      'loved death note, mushishi. also chainsaw man was great',
      ['Death Note', 'Mushishi', 'Chainsaw Man'],
    ],
    [
      'death note, monster, given. see the pattern? another one',
      ['Death Note', 'Monster', 'Given'],
    ],
    // What is asked for, compared with it.
    ['the next mushishi', ['Mushishi']],
    ['anything as good as death note', ['Death Note']],
    ['mushishi-ish', ['Mushishi']],
    ['a less dark death note', ['Death Note']],
    ['death note with a woman in the lead', ['Death Note']],
    ["death note's tension crossed with the calm of mushishi", ['Death Note', 'Mushishi']],
    ['death note or something similar', ['Death Note']],
    ['death note season one was great, any more like that', ['Death Note']],
    ['death note clone', ['Death Note']],
    ['mushishi knockoffs', ['Mushishi']],
    ['need recs, finished monster last night', ['Monster']],
    ['he is crazy about death note. suggestions?', ['Death Note']],
    // What somebody else says of it.
    ['my son likes death note. he wants another', ['Death Note']],
  ])('%s: %j', (query, wanted) => {
    expect(works(query)).toEqual(wanted)
  })

  it.each([
    ['dropped mushishi after three episodes, want something dark', ['not Mushishi']],
    ['could not get into death note. any good school show', ['not Death Note']],
    ['mushishi bored me. tell me another', ['not Mushishi']],
    ['death note was great but monster left me cold. what now', ['Death Note', 'not Monster']],
    ['death note was a bit too dark for me. what else', ['not Death Note']],
    [
      'chainsaw man is fun but death note was a bit too slow for me. what else',
      ['Chainsaw Man', 'not Death Note'],
    ],
    [
      'chainsaw man is fun but monster was a bit too slow for me. what else',
      ['Chainsaw Man', 'not Monster'],
    ],
    ['mushishi i have seen. any good school show', ['not Mushishi']],
    ['we saw all of death note together. suggestions?', ['not Death Note']],
    ['hated: death note. loved: mushishi. suggest?', ['not Death Note', 'Mushishi']],
    [
      'mushishi and death note are already watched. recommend a school show',
      ['not Mushishi', 'not Death Note'],
    ],
    [
      'loved mushishi, dropped it? no, dropped death note. what next',
      ['Mushishi', 'not Death Note'],
    ],
  ])('%s: %j', (query, wanted) => {
    expect(works(query)).toEqual(wanted)
  })

  it('takes what is told of it with it', () => {
    expect(read('dropped mushishi because of the war. recommend something dark')).toEqual([
      'not title Mushishi',
      'topic dark',
    ])
    // The end of a work is not the work.
    expect(works("did not enjoy death note's ending. something similar?")).toEqual(['Death Note'])
  })

  it.each([
    'recommend the watch order of death note',
    'death note please',
    'i want to watch death note',
    'should i watch death note or mushishi',
    'which episode of mushishi is next',
    'looking for an anime where a boy finds death note',
    'something about death note pages',
    'please find: a student gets a death note from a god',
    'he watched the monster. it was given to him',
    'monster is loose in a city. looking for something dark',
    'another has a war. looking for something dark',
    'a girl says another was lost. the monster is near',
    'is there a second season of death note',
    'death note next season',
    'death note, any english dub?',
    'death note any good?',
    'anything about chainsaw man',
    'the one with the shinigami, death note or something',
    'what is the anime called, next to death note, with a shinigami',
    'what would happen if death note was burnt',
  ])('%s wants no others', (query) => {
    expect(works(query)).toEqual([])
  })
})

describe('works that are judged right behind them', () => {
  it.each([
    ['death note but no', ['not title Death Note']],
    ['thought it was mushishi but no', ['not title Mushishi']],
    ["school, my friend says mushishi but that's wrong", ['topic school', 'not title Mushishi']],
    ['a boy finds a school. i checked death note and its not that', ['not title Death Note']],
    [
      "dark school, don't think it's mushishi",
      ['topic dark', 'topic school', 'not title Mushishi'],
    ],
    ['like mushishi, death note sucks tho', ['like Mushishi', 'not title Death Note']],
    ['the mushishi guy is annoying', ['not title Mushishi']],
    ['like mushishi, death note guy is annoying', ['like Mushishi', 'not title Death Note']],
    ['mushishi 3/10', ['not title Mushishi']],
    ['mushishi is trash', ['not title Mushishi']],
    ["it wasn't mushishi", ['not title Mushishi']],
    [
      'mushishi is 9/10 for me and death note is like a 4/10',
      ['like Mushishi', 'not title Death Note'],
    ],
  ])('are wished or not: %s', (query, expected) => {
    expect(read(query)).toEqual(expect.arrayContaining(expected))
    expect(read(query).filter((one) => /title|like/.test(one))).toEqual(
      expected.filter((one) => /title|like/.test(one)),
    )
  })

  it.each([
    'mushishi 6/10',
    'mushishi 3 of 10',
    'mushishi 3/10 pacing',
    'dark mushishi 3/10',
    'death note and no one else',
    'like mushishi but not that one',
    'my mushishi is annoying',
    'monster sucks',
    'my teacher says monster is bad',
    'school sucks',
    'romance is meh',
    'romance 2/10 harem 9/10',
    "it wasn't a war",
    "it wasn't me",
    'it was not the monsters',
    'mushishi but no romance',
    'a boy says the school but no',
    'a girl who has a monster but its not the same',
    'he saw a school and its not that bad, death note',
  ])('are not refused in %s', (query) => {
    expect(read(query).filter((one) => one.startsWith('not title'))).toEqual([])
  })
})

describe('what is said to be bad, and is no work', () => {
  it.each([
    'school sucks',
    'monster is bad',
    'harem is trash',
    'school sucks, something dark at school',
    'the animation is 10/10',
    'school 0/10',
    "it wasn't a war",
    'he realizes it was not the monsters who killed his family',
  ])('is not excluded: %s', (query) => {
    expect(read(query).filter((one) => one.startsWith('not'))).toEqual([])
    expect(likes(query)).toEqual([])
  })
})

describe('a word that is excluded', () => {
  it.each([
    ['school but the ending isnt rurouni', ['not title Rurouni no Ken']],
    ['school but the ending isnt notes', ['not words notes']],
  ])('names a work that is known by it: %s', (query, expected) => {
    const near = (text: string) =>
      text === 'notes' ? [{ row: 1, title: 'Death Notes', similarity: 0.86 }] : exact(text)
    const { readings } = createInterpreter({
      lexicon: readLexicon('data/query/en.json'),
      tags: ['school'].map(tag),
      names: { genres: [], studios: [], people: [] },
      titles: { ...lookup, match: near },
    })(query)
    const excluded = readings.filter((reading) => reading.excluded)
    expect(excluded.map(({ kind, label }) => `not ${kind} ${label}`)).toEqual(expected)
  })
})

describe('a work in a long text', () => {
  const synopsis =
    'A healer travels with Mushishi from one village to the next and looks at what nobody else can see, ' +
    'until the river takes the house of her mother and the two of them have to leave'
  const kinds = (query: string) =>
    createInterpreter({
      lexicon: readLexicon('data/query/en.json'),
      tags: [],
      names: { genres: [], studios: [], people: [] },
      titles: lookup,
    })(query).readings.map(({ kind }) => kind)

  it('is none that is asked for where nobody speaks or asks', () => {
    expect(kinds(synopsis)).not.toContain('like')
  })

  it('has no makers who made what is wished, unless somebody asks', () => {
    const made = synopsis.replace('with Mushishi', 'in the studio of Mushishi')
    expect(kinds(made)).not.toContain('makers')
    expect(kinds(`${made}. I want something by the makers of Mushishi`)).toContain('makers')
  })

  it.each([
    `Loved Mushishi. ${synopsis.replace('with Mushishi ', '')}. I want more of that, what next?`,
  ])('is one where somebody speaks: %s', (query) => {
    expect(kinds(query)).toContain('like')
  })
})

describe('a name that is excluded', () => {
  const rowsOf = (query: string, brand: readonly number[]) =>
    createInterpreter({
      lexicon: readLexicon('data/query/en.json'),
      tags: [],
      names: { genres: ['Comedy'], studios: [], people: [] },
      titles: { ...lookup, brand: (word) => (word === 'mushishi' ? brand : []) },
    })(query).readings.flatMap((reading) => (reading.kind === 'title' ? reading.rows : []))

  it('stands for all works whose brand it is', () => {
    expect(rowsOf('comedy but not mushishi', [20, 21])).toEqual([0, 20, 21])
    expect(rowsOf('comedy but not mushishi', [])).toEqual([0])
    expect(rowsOf('comedy but not death note', [20, 21])).toEqual([1])
  })
})
