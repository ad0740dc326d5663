/** What queries are read as: facts, exclusions, references and titles, and what is left to describe. */
import { describe, expect, it } from 'vitest'
import { createInterpreter, type Interpret } from '#synoptic/query/interpret.js'
import type { Reading, TitleLookup } from '#synoptic/query/interpretation.js'
import { readLexicon } from '#synoptic/query/lexicon.js'

const titles = [
  'Mushishi',
  'Naruto',
  'K-On!',
  'Monster',
  'Steins;Gate',
  'School Days',
  'A Boy',
  'Spice and Wolf',
  'Mecha Boys School',
  'The Girl of the School',
]
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const exact = (text: string) =>
  titles.flatMap((title, row) =>
    plain(title) === plain(text) ? [{ row, title, similarity: 1 }] : [],
  )
/** Also titles that have all words of the text among others. */
const named = (text: string) => {
  const words = plain(text).split(' ')
  return titles.flatMap((title, row) =>
    words.every((word) => plain(title).split(' ').includes(word))
      ? [{ row, title, similarity: words.length > 3 ? 0.93 : 0.86 }]
      : [],
  )
}
const lookup: TitleLookup = {
  exact,
  match: (text) => (exact(text).length > 0 ? exact(text) : named(text)),
  heads: (text) =>
    named(text).filter(({ title }) => `${plain(title)} `.startsWith(`${plain(text)} `)),
  mentions: (text) => {
    const begin = text.toLowerCase().indexOf('spice and wolf')
    return begin < 0 ? [] : [{ begin, end: begin + 14, title: 'Spice and Wolf', rows: [5] }]
  },
}

const tag = (name: string, ...synonyms: string[]) => ({
  tag: name,
  family: name === 'mecha' ? 'theme' : 'tone',
  name: name.replaceAll('-', ' '),
  synonyms,
})
const options = {
  lexicon: readLexicon('data/query/en.json'),
  tags: [
    tag('tear-jerker', 'sad', 'makes me cry'),
    tag('harem', 'harem comedy'),
    tag('time-travel', 'travels through time'),
    tag('dark', 'grim'),
    tag('mecha', 'giant robot'),
    tag('amnesia', 'no memory', 'memory loss'),
    tag('love-story', 'romance'),
  ],
  names: {
    genres: ['Romance', 'Comedy', 'Horror', 'Sci-Fi', 'Slice of Life'],
    studios: ['Bones', 'Kyoto Animation'],
    people: ['Satoshi Kon', 'Naoki Urasawa', 'Junji Itou'],
  },
  titles: lookup,
}
const interpret: Interpret = createInterpreter(options)

/** Each reading as one line: `not topic harem`. */
const read = (query: string) =>
  interpret(query).readings.map(
    ({ kind, label, excluded }: Reading) => `${excluded ? 'not ' : ''}${kind} ${label}`,
  )
const factOf = (query: string) => interpret(query).readings[0]

describe('a title with a word that says of what kind it is', () => {
  it.each(['naruto anime', 'the anime Naruto', 'naruto series', 'the naruto show'])(
    '%s',
    (query) => {
      const [title] = interpret(query).readings
      expect(title).toMatchObject({ kind: 'title', label: 'Naruto', confidence: 0.98 })
      expect(query.slice(title?.begin, title?.end).toLowerCase()).toBe('naruto')
    },
  )

  it('is a title and a subject where its name is both', () => {
    expect(read('monster anime')).toContain('title Monster')
  })

  it.each(['anime', 'the manga', 'a film', 'sad anime', 'narutos anime'])('%s is none', (query) => {
    expect(interpret(query).readings.filter(({ kind }) => kind === 'title')).toEqual([])
  })

  it('has no exclusion in the no of Japanese', () => {
    const japanese: TitleLookup = {
      ...lookup,
      match: () => [{ row: 0, title: 'Kimetsu no Yaiba Movie', similarity: 0.86 }],
    }
    const { readings } = createInterpreter({ ...options, titles: japanese })(
      'kimetsu no yaiba movie',
    )
    expect(readings.map(({ excluded }) => excluded)).not.toContain(true)
  })
})

describe('a title that is begun', () => {
  it.each(['the girl of the', 'spice and wolf the', 'mecha boys no'])('is all of %s', (query) => {
    const wolf = 'Spice and Wolf the Second'
    const begun = () => [{ row: 0, title: wolf, similarity: 0.86 }]
    const { readings } = createInterpreter({ ...options, titles: { ...lookup, match: begun } })(
      query,
    )
    expect(readings).toMatchObject([{ kind: 'title', confidence: 0.92 }])
  })

  it('is less sure of two words, and of what may be a wish', () => {
    for (const query of ['girl of', 'mecha boys school', 'girl of school'])
      expect(interpret(query).readings.map(({ confidence }) => confidence)).not.toContain(0.92)
  })
})

describe('the one', () => {
  it('is named by a word of its title', () => {
    const title = { kind: 'title', label: 'Spice and Wolf' }
    expect(interpret('the wolf one').readings).toMatchObject([title])
    expect(interpret('that wolf anime').readings).toMatchObject([title])
    expect(interpret('the sad one').readings).toMatchObject([{ kind: 'topic' }])
    expect(interpret('wolf one').readings).toEqual([])
  })
})

describe('a studio of one common word', () => {
  const studios = (query: string) => read(query).filter((reading) => reading.startsWith('studio'))

  it.each([
    'bones',
    'bones anime',
    'romance bones',
    'bones giant robot',
    'by bones',
    'bones, sad',
    'bones studio',
    'studio bones',
    'a bones studio mecha',
    'anime by studio bones',
    'bones without romance',
    'bones except naruto',
    'bones but not sad',
  ])('is told by %s', (query) => {
    expect(studios(query)).toEqual(['studio Bones'])
  })

  it.each([
    'bones buried under a lake',
    'six heroes find bones bleached white',
    'bone',
    'bone anime',
    'studio',
    'a studio full of bone dust',
    'trigger studio',
  ])('is none in %s', (query) => {
    expect(studios(query)).toEqual([])
  })

  it('explains the word studio, too', () => {
    for (const query of ['bones studio', 'studio bones', 'kyoani studio'])
      expect(interpret(query)).toMatchObject({ explained: 1, text: '' })
    expect(interpret('kyoto animation studio').text).toBe('')
  })
})

describe('facts', () => {
  it.each([
    ['90s', { from: 1990, to: 1999 }],
    ["the '90s", { from: 1990, to: 1999 }],
    ['2010s', { from: 2010, to: 2019 }],
    ['early 2000s', { from: 2000, to: 2004 }],
    ['late eighties', { from: 1985, to: 1989 }],
    ['from 2011', { from: 2011, to: 2011 }],
    ['spring 2023', { from: 2023, to: 2023 }],
    ['Fall 1999', { from: 1999, to: 1999 }],
    ['between 2005 and 2010', { from: 2005, to: 2010 }],
    ['2005-2010', { from: 2005, to: 2010 }],
    ['before 2000', { to: 1999 }],
    ['since 2015', { from: 2015 }],
    ['after 2015', { from: 2016 }],
    ['30s', { from: 1930, to: 1939 }],
    ['my favorite 90s', { from: 1990, to: 1999 }],
  ])('%s tells years', (query, years) => {
    expect(factOf(query)).toMatchObject({ kind: 'years', ...years })
  })

  it.each(['90s', 'early', '12', 'pre', 'under 12', 'between', 'since', '90 minutes', 'late 90s'])(
    '%s beside a word that every object has as a member',
    (words) => {
      const queries = [`constructor ${words}`, `${words} constructor`, `${words}constructor`]
      for (const query of queries) {
        expect(read(query)).toEqual(read(query.replace('constructor', 'composer')))
      }
    },
  )

  it.each(['1', '12', '1850', '90', '3000', 's', '2005s90', 'spring', 'winter 12', 'his 30s'])(
    '%s tells none',
    (query) => {
      expect(interpret(query).readings).toEqual([])
    },
  )

  it.each([
    ['before the 2000s', { to: 1999 }],
    ['after the 90s', { from: 2000 }],
    ['after 90s', { from: 2000 }],
    ['since the 2010s', { from: 2010 }],
    ['after 2010', { from: 2011 }],
    ['between 2015 and 2010', { from: 2010, to: 2015 }],
  ])('%s tells years', (query, years) => {
    expect(factOf(query)).toMatchObject({ kind: 'years', ...years })
    expect(factOf(query)).not.toHaveProperty('from' in years ? 'none' : 'from')
  })

  it.each([
    ['2018 or later', { from: 2018 }],
    ['2015 or newer', { from: 2015 }],
    ['2018 onwards', { from: 2018 }],
    ['from 2018 on', { from: 2018 }],
    ['2018+', { from: 2018 }],
    ['90s and later', { from: 1990 }],
    ['2010 or earlier', { to: 2010 }],
    ['80s and before', { to: 1989 }],
  ])('%s tells years of which one end is open', (query, years) => {
    expect(factOf(query)).toMatchObject({ kind: 'years', ...years })
    expect(factOf(query)).not.toHaveProperty('from' in years ? 'to' : 'from')
  })

  it.each([
    ['past five years', 5, 1],
    ['last 10 years', 10, 1],
    ['last ten years', 10, 1],
    ['this year', 0, 1],
    ['this decade', 0, 10],
  ])('%s tells years by the date', (words, ago, step) => {
    const year = new Date().getUTCFullYear() - ago
    const from = year - (year % step)
    const told = interpret(`romance, ${words}`).readings.filter(({ kind }) => kind === 'years')
    expect(told).toMatchObject([{ from, label: words }])
    expect(told[0]).not.toHaveProperty('to')
  })

  it.each([
    'a girl who saved the world this year and lives with her brother in a small town',
    'his last five dragons',
  ])('%s tells none', (query) => {
    expect(interpret(query).readings.filter(({ kind }) => kind === 'years')).toEqual([])
  })

  it.each([
    ['2018 or a romance', { from: 2018, to: 2018 }],
    ['from 2018 on a ship', { from: 2018, to: 2018 }],
    ['1950s manga', { from: 1950, to: 1959 }],
    ['manga from the 1950s', { from: 1950, to: 1959 }],
    ['before the 1950s', { to: 1949 }],
    ['made in 1945', { from: 1945, to: 1945 }],
    ['romance 1958', { from: 1958, to: 1958 }],
  ])('%s tells no more than that', (query, years) => {
    const told = interpret(query).readings.filter(({ kind }) => kind === 'years')
    expect(told).toMatchObject([years])
  })

  it.each(['1920s romance', 'a spy in the 1930s', 'a spy in 1938', 'set in 1985', '1950s'])(
    '%s tells when a story is set',
    (query) => {
      expect(interpret(query).readings.filter(({ kind }) => kind === 'years')).toEqual([])
    },
  )

  it.each(['a', 'na', 'nya'])(
    'reads at once what stands behind a word that repeats %j',
    (syllable) => {
      const query = `${syllable.repeat(600)}x no romance`
      expect(interpret(query).readings).toMatchObject([{ label: 'Romance', excluded: true }])
    },
  )

  it('tells no years by the age of a man', () => {
    const told = ['a man in his 30s', 'a woman in her late 40s', 'in their early 20s']
    const asked = ['for a woman in my 30s', 'characters in late 20s', 'protagonist in the 30s']
    for (const query of [...told, ...asked])
      expect(interpret(query).readings.filter(({ kind }) => kind === 'years')).toEqual([])
  })

  it.each([
    'a boy in 1980 finds a robot',
    'a girl who lives in the 1930s',
    'reincarnated 2000 years later',
  ])('tells no years of a work by those of its story: %s', (query) => {
    expect(interpret(query).readings.filter(({ kind }) => kind === 'years')).toEqual([])
  })

  it.each([
    ['mecha in 1980', { from: 1980, to: 1980 }],
    ['an anime from 1998 where he finds a robot', { from: 1998, to: 1998 }],
    ['i watched it in the 90s, a boy finds a robot', { from: 1990, to: 1999 }],
    ['characters in 90s', { from: 1990, to: 1999 }],
  ])('tells those of a work: %s', (query, years) => {
    const told = interpret(query).readings.filter(({ kind }) => kind === 'years')
    expect(told).toMatchObject([years])
  })

  it.each([
    ['12 episodes', { min: 11, max: 13 }],
    ['under 13 episodes', { max: 13 }],
    ['no more than 24 eps', { max: 24 }],
    ['12 episodes or less', { max: 12 }],
    ['24 or fewer episodes', { max: 24 }],
    ['13 eps max', { max: 13 }],
    ['50 episodes or more', { min: 50 }],
    ['12 episodes or so', { min: 11, max: 13 }],
    ['90 min or less', { unit: 'minutes', max: 90 }],
    ['100+ episodes', { min: 100 }],
    ['at least 50 episodes', { min: 50 }],
    ['5 volumes', { unit: 'volumes', min: 4, max: 6 }],
    ['five volumes', { unit: 'volumes', min: 4, max: 6 }],
    ['at most five volumes', { unit: 'volumes', max: 5 }],
    ['no more than one volume', { unit: 'volumes', max: 1 }],
    ['one volume', { unit: 'volumes', max: 1 }],
    ['one to five volumes', { unit: 'volumes', min: 1, max: 5 }],
    ['one or two volumes', { unit: 'volumes', min: 1, max: 2 }],
    ['10-20 episodes', { min: 10, max: 20 }],
    ['between 10 and 13 eps', { min: 10, max: 13 }],
    ['two to three hours', { unit: 'episodeMinutes', min: 120, max: 180 }],
    ['around 50 eps', { min: 45, max: 55 }],
    ['not 500 episodes', { max: 500 }],
    ['a hundred episodes', { min: 99, max: 101 }],
    ['hundred episodes', { min: 99, max: 101 }],
    ['fifty two episodes', { min: 51, max: 53 }],
    ['forty episodes', { min: 39, max: 41 }],
    ['at most twenty-five episodes', { max: 25 }],
    ['twenty to twenty six episodes', { min: 20, max: 26 }],
    ['more than one hundred and fifty episodes', { min: 150 }],
    ['between a hundred and two hundred episodes', { min: 100, max: 200 }],
    ['less than 1,000 episodes', { max: 1000 }],
    ['two dozen episodes', { min: 23, max: 25 }],
    ['12episodes', { min: 11, max: 13 }],
    ['under 2hours', { unit: 'minutes', max: 120 }],
    ['90minutes', { unit: 'episodeMinutes', min: 72, max: 108 }],
    ['sixty minutes', { unit: 'episodeMinutes', min: 48, max: 72 }],
    ['1.5 hours', { unit: 'episodeMinutes', min: 72, max: 108 }],
    ['a hundred and twenty minutes', { unit: 'episodeMinutes', min: 96, max: 144 }],
    ['two and a half hours', { unit: 'episodeMinutes', min: 120, max: 180 }],
    ['under an hour and a half', { unit: 'minutes', max: 90 }],
    ['1 season', { unit: 'episodes', max: 26, isWhole: true }],
    ['short', { unit: 'episodes', max: 13 }],
    ['under 30 minutes', { unit: 'minutes', max: 30 }],
    ['less than two hours', { unit: 'minutes', max: 120 }],
    ['no longer than an hour', { unit: 'minutes', max: 60 }],
    ['at most 90min', { unit: 'minutes', max: 90 }],
    ['90 minutes long', { unit: 'episodeMinutes', min: 72, max: 108 }],
    ['half an hour', { unit: 'episodeMinutes', min: 24, max: 36 }],
    ['over 2 hours', { unit: 'episodeMinutes', min: 120 }],
    ['5 minute episodes', { unit: 'episodeMinutes', min: 3, max: 7 }],
    ['one season', { unit: 'episodes', max: 26, isWhole: true }],
    ['no sequels, romance', { unit: 'episodes', max: 26, isWhole: true }],
    ['episodes of 5 minutes', { unit: 'episodeMinutes', min: 3, max: 7, isOfSeries: true }],
    ['episodes that are 5 min', { unit: 'episodeMinutes', min: 3, max: 7, isOfSeries: true }],
    ['episodes shorter than 15 min', { unit: 'episodeMinutes', max: 15, isOfSeries: true }],
    ['under 100 chapters', { unit: 'chapters', max: 100 }],
    ['less than 50 chapters', { unit: 'chapters', max: 50 }],
    ['200+ chapters', { unit: 'chapters', min: 200 }],
    ['around 40 ch', { unit: 'chapters', min: 36, max: 44 }],
    ['episodes under 10 minutes', { unit: 'episodeMinutes', max: 10 }],
    ['under 10 minutes each', { unit: 'episodeMinutes', max: 10 }],
    ['short episodes', { unit: 'episodeMinutes', max: 15, isOfSeries: true }],
    ['short sad episodes', { unit: 'episodeMinutes', max: 15, isOfSeries: true }],
    ['short dark romance episodes', { unit: 'episodeMinutes', max: 15, isOfSeries: true }],
    ['short romance', { unit: 'episodes', max: 13 }],
    ['short, sad episodes', { unit: 'episodes', max: 13 }],
    ['short romance with few episodes', { unit: 'episodes', max: 13 }],
    ['hour-long episodes', { unit: 'episodeMinutes', min: 45, max: 75, isOfSeries: true }],
    ['40 minute episodes', { unit: 'episodeMinutes', min: 32, max: 48, isOfSeries: true }],
    ['feature-length', { unit: 'episodeMinutes', min: 60 }],
  ])('%s tells a length', (query, length) => {
    const [told] = interpret(query).readings
    expect(told).toMatchObject({ kind: 'length', ...length })
  })

  it('tells a length of episodes, of which no word is left', () => {
    expect(interpret('short sad episodes')).toMatchObject({ text: 'sad', explained: 1 })
  })

  it('tells what short means of a film, and that a film has no number of episodes', () => {
    expect(factOf('short')).toMatchObject({ ofFilms: { max: 65 } })
    expect(factOf('12 episodes')).not.toHaveProperty('ofFilms')
  })

  it.each(['hour long', '40 minutes', 'short form', '12 episodes'])(
    'tells no series by %s',
    (query) => {
      expect(factOf(query)).toMatchObject({ kind: 'length' })
      expect(factOf(query)).not.toHaveProperty('isOfSeries')
    },
  )

  it('tells the works that a studio made of no other by its originals, and not by what is original', () => {
    expect(read('bones originals')).toEqual(['studio Bones', 'source originals'])
    expect(read('bones original')).toEqual(['studio Bones'])
    expect(read('something original')).toEqual(['fame something original'])
    expect(read('netflix originals romance')).toEqual(['topic Romance'])
  })

  it.each([
    ['short film', { max: 65 }],
    ['a very short movie', { max: 40 }],
    ['films that are long', { min: 120 }],
  ])('%s tells its length in minutes', (query, bounds) => {
    const lengths = interpret(query).readings.filter(({ kind }) => kind === 'length')
    expect(lengths).toMatchObject([{ unit: 'minutes', ...bounds }])
    expect(lengths[0]).not.toHaveProperty('ofFilms')
  })

  it('tells a film, of which episodes tell no length', () => {
    const { readings } = interpret('movies under 3 episodes')
    expect(readings).toMatchObject([{ kind: 'type', values: ['movie'] }])
  })

  it('tells a length beside a film that is excluded', () => {
    const told = interpret('short but no movies').readings.map(({ kind, excluded }) => [
      kind,
      excluded,
    ])
    expect(told).toEqual([
      ['length', false],
      ['type', true],
    ])
  })

  it.each([
    '0 episodes',
    'episodes',
    '1.5e9 volumes of air',
    'more than episodes',
    'many hours',
    'two boys',
    'half a man',
    '90',
    'the last minute',
    '5mins3',

    'an episode',
    'one episode',
    'a chapter',
    'chapters',
    'episodes of a girl',
    'half an episode',
    'one to five',
    'not 500',
    'around eps',
    'twenty five',
    'a dozen',
    'a hundred and a half',
    '12episodic',
    '1.5',
  ])('%s tells no length', (query) => {
    expect(interpret(query).readings.filter(({ kind }) => kind === 'length')).toEqual([])
  })

  it('tells one where a story word is part of a work that is named, however long the phrase before it', () => {
    for (const like of ['like', 'in the vein of', 'in the same vein as'])
      expect(interpret(`40 minutes ${like} the girl of the school`).readings).toMatchObject([
        { kind: 'length' },
        { kind: 'like' },
      ])
    expect(factOf('40 minutes the girl of the school')).toBeUndefined()
  })

  it.each([
    'an hour later she meets a boy',
    'he has 5 minutes to live',
    'ten minutes before they die',
    'she dies after ten chapters of a book',
  ])('%s tells a story, which has no length of its own', (query) => {
    expect(interpret(query).readings.filter(({ kind }) => kind === 'length')).toEqual([])
  })

  it('reads genres and tags of the same words as one topic', () => {
    expect(factOf('romance')).toMatchObject({ genres: ['Romance'], tags: ['love-story'] })
  })

  it('reads plural and comparative forms', () => {
    expect(read('giant robots')).toEqual(['topic giant robot'])
    expect(read('darker')).toEqual(['topic dark'])
    expect(read('monster')).toEqual(['title Monster'])
    expect(read('mechaer')).toEqual([])
  })

  it('reads makers: whole names, aliases, and a family name after `by`', () => {
    expect(read('satoshi kon film')).toEqual(['person Satoshi Kon', 'type film'])
    expect(read('kon satoshi')).toEqual(['person Satoshi Kon'])
    expect(read('something by urasawa')).toEqual(['person Naoki Urasawa'])
    expect(read('urasawa')).toEqual(['person Naoki Urasawa'])
    expect(read('urasawa manga')).toEqual(['person Naoki Urasawa'])
    expect(read('sad urasawa films')).toEqual(['topic sad', 'person Naoki Urasawa', 'type film'])
    expect(read('kyoani romance')).toEqual(['studio Kyoto Animation', 'topic Romance'])
  })
})

describe('a part of a series that is told behind its title', () => {
  it.each([
    ['naruto movie where he goes to the moon', 'naruto movie', ['movie']],
    ['Naruto: the season with the exam', 'Naruto: the season', []],
    ['the spice and wolf one about a fake coin', undefined, []],
    ['the spice and wolf ova about a fake coin', 'spice and wolf ova', ['ova']],
    ['spice and wolf the one about a fake coin', 'spice and wolf the one', []],
    ['naruto season fake coin', 'naruto season', []],
    ['which season of naruto has the fake coin', 'naruto', []],
    ['spice and wolf the fake coin one at sea', 'spice and wolf', []],
  ])('%s', (query, words, types) => {
    const { readings, text } = interpret(query)
    const [part] = readings.filter((reading) => reading.kind === 'title' && reading.part)
    expect(part && query.slice(part.begin, part.end)).toBe(words)
    if (part?.kind !== 'title') return
    expect(part.part?.types).toEqual(expect.arrayContaining(types))
    expect(text).toBe(query.slice(part.end).trim())
  })

  it.each([
    'naruto movie',
    'sad movie where she dies',
    'somebody the one with a fox',
    'a film where naruto dies',
    'romance season fake coin',
    'a girl spends a season of naruto at sea',
    'naruto the fake coin',
  ])('is none in %s', (query) => {
    const { readings } = interpret(query)
    expect(readings.filter((reading) => reading.kind === 'title' && reading.part)).toEqual([])
  })
})

describe('a child of two works', () => {
  it('is a cross of them', () => {
    const { readings, isCross } = interpret('if naruto and mushishi had a baby')
    expect(readings).toMatchObject([
      { kind: 'like', label: 'Naruto' },
      { kind: 'like', label: 'Mushishi' },
    ])
    expect(isCross).toBe(true)
  })

  it('is none of somebody', () => {
    expect(read('she had a baby with a naruto fan')).not.toContain('like Naruto')
  })
})

describe('a series of which some is wished', () => {
  it.each([
    ['best naruto', ['title Naruto']],
    ['short naruto', ['length short', 'title Naruto']],
    ['naruto 12 episodes', ['title Naruto', 'length 12 episodes']],
    ['naruto for someone new', ['title Naruto', 'fame for someone new']],
  ])('is named in %s', (query, readings) => {
    expect(read(query)).toEqual(readings)
    const [title] = interpret(query).readings.filter(({ kind }) => kind === 'title')
    expect(title).toMatchObject({ part: { types: [] } })
  })

  it.each([
    ['last arc of naruto anime', 'Naruto'],
    ['naruto in what order', 'Naruto'],
    ['naruto the season', 'Naruto'],
    ['naruto and no filler', 'Naruto'],
    ['how long is naruto', 'Naruto'],
    ['new to naruto', 'Naruto'],
    ['best monster arc', 'Monster'],
    ['where do i start with monster', 'Monster'],
  ])('is its main work, and nothing else, in %s', (query, title) => {
    const { readings, explained } = interpret(query)
    expect(readings).toMatchObject([{ kind: 'title', label: title, excluded: false }])
    expect(readings[0]).not.toHaveProperty('part')
    expect(explained).toBe(1)
  })

  it('may be named again', () => {
    expect(read('naruto order best naruto season')).toEqual(['title Naruto'])
  })

  it('is its newest work where the last season is wished', () => {
    const { readings } = createInterpreter({
      ...options,
      titles: { ...lookup, newestOf: () => 7 },
    })('final season of naruto')
    expect(readings).toMatchObject([{ kind: 'title', label: 'Naruto', rows: [7] }])
  })

  it.each(['last monster', 'which monster', 'short monster', 'best monster', 'new to the monster'])(
    'is none with an everyday name in %s',
    (query) => {
      const sure = (text: string) => exact(text).filter(({ title }) => title !== 'Monster')
      const titles = { ...lookup, sure, known: sure }
      const { readings } = createInterpreter({ ...options, titles })(query)
      expect(readings.filter(({ label }) => label === 'Monster')).toEqual([])
    },
  )

  it('is looked up neither in long queries nor in what says nothing', () => {
    const texts: string[] = []
    const titles = {
      ...lookup,
      exact: (text: string) => {
        texts.push(text)
        return exact(text)
      },
    }
    const read = createInterpreter({ ...options, titles })
    read('which season or which last season')
    const few = texts.length
    read(`naruto ${'or '.repeat(300)}`)
    expect(few).toBeLessThan(30)
    expect(texts.length - few).toBeLessThan(2000)
  })

  it('is no subject of that name, if nothing is said of series alone', () => {
    const tags = [...options.tags, tag('monsters', 'monster')]
    const { readings } = createInterpreter({ ...options, tags })('best monster')
    expect(readings).toMatchObject([{ kind: 'topic' }])
    const ofArc = createInterpreter({ ...options, tags })('best monster arc')
    expect(ofArc.readings).toMatchObject([{ kind: 'title', label: 'Monster' }])
  })

  it.each(['naruto anime', 'naruto', 'best romance', 'naruto fights the best'])(
    'is none in %s',
    (query) => {
      const parts = interpret(query).readings.filter((it) => it.kind === 'title' && it.part)
      expect(parts).toEqual([])
    },
  )
})

describe('a family name', () => {
  it.each(['kon', 'kon movies', 'kon romance', 'urasawa loves a girl', 'a girl like urasawa'])(
    'in %j is no maker',
    (query) => {
      expect(interpret(query).readings.map(({ kind }) => kind)).not.toContain('person')
    },
  )

  it.each([
    ['urasawa romance', ['person Naoki Urasawa', 'topic Romance']],
    ['some good romance urasawa', ['topic Romance', 'person Naoki Urasawa']],
    ['urasawa romance about a bakery', ['person Naoki Urasawa', 'topic Romance']],
    ['a romance in urasawa about a bakery', ['topic Romance']],
    ['kons romance about a bakery', ['topic Romance']],
  ])('in %j', (query, expected) => {
    expect(read(query)).toEqual(expected)
  })

  it.each([
    ['by another', false, ['topic Romance']],
    ['by the person', true, ['person Naoki Urasawa', 'topic Romance']],
  ])('that a title has, %s', (_, isTheirs, expected) => {
    const titled = (words: readonly string[]) => (words.join() === 'urasawa' ? [0] : [])
    const of = createInterpreter({
      ...options,
      titles: { ...options.titles, titled, madeBy: () => isTheirs },
    })
    const read = of('urasawa romance').readings.map(({ kind, label }) => `${kind} ${label}`)
    expect(read).toEqual(expected)
  })

  it('of several people is that of the first', () => {
    const people = ['Satoshi Miyazaki', 'Hayao Miyazaki']
    const of = createInterpreter({ ...options, names: { ...options.names, people } })
    expect(of('miyazaki films').readings[0]).toMatchObject({ value: 'Satoshi Miyazaki' })
  })
})

describe('forms', () => {
  const interpretOf = (...types: string[]) =>
    createInterpreter({ ...options, names: { ...options.names, types } })

  it('a one-shot is a type where works have it, else one volume', () => {
    expect(interpretOf('one_shot')('sad one shot').readings[1]).toMatchObject({
      kind: 'type',
      values: ['one_shot'],
    })
    for (const query of ['sad one-shot', 'sad oneshot manga', 'a sad single volume']) {
      expect(interpretOf('manga')(query).readings[1]).toMatchObject({
        kind: 'length',
        unit: 'volumes',
        max: 1,
      })
    }
  })

  it('series are no films where works have the type, else a word like another', () => {
    expect(interpretOf('tv', 'movie')('romance series').readings[1]).toMatchObject({
      kind: 'type',
      values: ['tv', 'ona', 'ova'],
      confidence: 0.5,
    })
    expect(interpretOf('manga')('romance series').readings).toHaveLength(1)
  })

  it.each(['shot', 'one', 'two shots', 'volumes', 'a serious romance'])('%j is none', (query) => {
    const kinds = interpretOf('manga', 'tv')(query).readings.map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'type' || kind === 'length')).toEqual([])
  })
})

describe('words of titles', () => {
  const withWords = ([word, ...others]: readonly string[]) =>
    word === 'chainsaw' && others.length === 0
      ? [{ row: 9, title: 'Chainsaw Man', similarity: 0.7 }]
      : []
  const interpretWith = createInterpreter({
    ...options,
    titles: {
      ...lookup,
      withWords,
      match: (text) => (text === 'slime' ? [{ row: 7, title: 'A Slime', similarity: 0.86 }] : []),
    },
  })
  const readingsOf = (query: string) =>
    interpretWith(query).readings.map(({ kind, label, begin, end }) => [
      kind,
      label,
      query.slice(begin, end),
    ])

  it('name works with a word that says of what kind they are, and are explained', () => {
    expect(readingsOf('slime anime')).toEqual([['title', 'A Slime', 'slime']])
    expect(interpretWith('slime anime')).toMatchObject({ text: 'slime', explained: 1 })
  })

  it('name works inside a story, where they are rare', () => {
    const story = 'a boy turns into a chainsaw'
    expect(readingsOf(story)).toEqual([['title', 'Chainsaw Man', 'chainsaw']])
    expect(interpretWith(story)).toMatchObject({ text: story, explained: 0 })
    expect(readingsOf('two chainsaws')).toEqual([['title', 'Chainsaw Man', 'chainsaws']])
  })

  it('are text where they are ignored, alone or within a phrase', () => {
    const story = 'a boy turns into a chainsaw'
    expect(interpretWith(story, [{ begin: 19, end: 27 }]).readings).toEqual([])
    const tags = { ...options.lexicon.tags, mecha: ['turns into a chainsaw'] }
    const lexicon = { ...options.lexicon, tags }
    const titles = { ...lookup, withWords }
    const withPhrase = createInterpreter({ ...options, lexicon, titles })
    expect(withPhrase(story).readings.map(({ kind }) => kind)).toEqual(['topic', 'title'])
    expect(withPhrase(story, [{ begin: 19, end: 27 }]).readings).toMatchObject([{ kind: 'topic' }])
  })

  it('are none of a phrase that says how a work is told', () => {
    const tags = { ...options.lexicon.tags, dark: ['chainsaw dark'] }
    const lexicon = { ...options.lexicon, tags }
    const withPhrase = createInterpreter({ ...options, lexicon, titles: { ...lookup, withWords } })
    expect(withPhrase('chainsaw dark').readings.map(({ kind }) => kind)).toEqual(['topic'])
  })

  it('name works by two that stand together, one of which then tells nothing else', () => {
    const titles = {
      ...lookup,
      withWords: (words: readonly string[]) =>
        words.join(' ') === 'grim castle'
          ? [{ row: 9, title: 'Grim Castle', similarity: 0.7 }]
          : [],
    }
    const tags = { ...options.lexicon.tags, dark: ['grim'] }
    const read = createInterpreter({ ...options, lexicon: { ...options.lexicon, tags }, titles })
    const told = (query: string, ignored: readonly { begin: number; end: number }[] = []) =>
      read(query, ignored).readings.map(({ kind, begin, end }) => [kind, query.slice(begin, end)])
    expect(told('the one with the grim castle')).toEqual([['title', 'grim castle']])
    expect(told('grim romance with a castle')).toEqual([
      ['topic', 'grim'],
      ['topic', 'romance'],
    ])
    expect(told('the grim castle', [{ begin: 9, end: 15 }])).toEqual([['topic', 'grim']])
    expect(told('a castle that is grim')).toEqual([['topic', 'grim']])
    expect(told('like Mushishi with a grim castle').map(([kind]) => kind)).not.toContain('title')
    expect(told('the grim one castle')).toEqual([['title', 'grim one castle']])
    expect(told('a grim one with a castle')).toEqual([['topic', 'grim']])
  })

  it('stay beside facts, of which they explain nothing', () => {
    expect(readingsOf('sad chainsaw romance').map(([kind]) => kind)).toEqual([
      'topic',
      'title',
      'topic',
    ])
    expect(interpretWith('sad chainsaw romance').explained).toBeCloseTo(2 / 3)
  })

  it.each([
    ['a long story', `a chainsaw ${'and other tools of the trade '.repeat(3)}`],
    ['a query that names another work', 'like Mushishi with a chainsaw'],
    ['what is excluded', 'comedy without chainsaw'],
    ['a subject', 'mecha anime'],
  ])('are none in %s', (_, query) => {
    expect(readingsOf(query).filter(([kind]) => kind === 'title')).toEqual([])
  })
})

describe('exclusions', () => {
  it('leave out what somebody took away of them', () => {
    const query = 'mecha without harem or school'
    const begin = query.indexOf('school')
    const { readings } = interpret(query, [{ begin, end: query.length }])
    expect(readings.filter(({ end }) => end > begin)).toEqual([])
    expect(interpret(query).readings.filter(({ end }) => end > begin)).toHaveLength(1)
  })

  it.each([
    ['mecha but not Mushishi', ['topic mecha', 'not title Mushishi']],
    ['mecha except spice and wolf', ['topic mecha', 'not title Spice and Wolf']],
    ['romance not naruto or mushishi', ['topic Romance', 'not title Naruto', 'not title Mushishi']],
    ['like Naruto but not Monster', ['like Naruto', 'not title Monster']],
    ['comedy without spice', ['topic Comedy', 'not title Spice and Wolf']],
    ['comedy not boys but sad', ['topic Comedy', 'not words boys', 'topic sad']],
    ['no harem and good romance', ['not topic harem', 'topic Romance']],
    ['no harem and lots of comedy', ['not topic harem', 'topic Comedy']],
    ['no harem and romance', ['not topic harem', 'not topic Romance']],
    ['comedy without romance', ['topic Comedy', 'not topic Romance']],
    ['horror, no harem', ['topic Horror', 'not topic harem']],
    ["sci-fi that isn't a harem", ['topic Sci-Fi', 'not topic harem']],
    ['comedy with no romance or harem', ['topic Comedy', 'not topic Romance', 'not topic harem']],
    ['comedy without too much romance', ['topic Comedy', 'not topic Romance']],
    ['comedy without cat ears', ['topic Comedy', 'not words cat ears']],
    [
      'comedy without romance or cat ears',
      ['topic Comedy', 'not topic Romance', 'not words cat ears'],
    ],
  ])('%s', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })

  it.each([
    // `no` after a work or a fact.
    ['like naruto no romance', ['like Naruto', 'not topic Romance']],
    ['naruto no harem', ['like Naruto', 'not topic harem']],
    ['naruto, no harem', ['like Naruto', 'not topic harem']],
    ['romance no harem', ['topic Romance', 'not topic harem']],
    ['not naruto', ['not title Naruto']],
    // Other words for it.
    ['comedy w/o harem', ['topic Comedy', 'not topic harem']],
    ['comedy sans harem', ['topic Comedy', 'not topic harem']],
    ['romance besides spice and wolf', ['topic Romance', 'not title Spice and Wolf']],
    ['comedy other than naruto', ['topic Comedy', 'not title Naruto']],
    ['anything but harem', ['not topic harem']],
    ["comedy that isn't quite as dark", ['topic Comedy', 'not topic dark']],
    ['romance, by anyone but junji itou', ['topic Romance', 'not person Junji Itou']],
    // What the speaker says of works.
    ['sick of harem', ['not topic harem']],
    ["comedy, i'm so tired of mecha", ['topic Comedy', 'not topic mecha']],
    ["i'm over mecha", ['not topic mecha']],
    ["don't like harem or mecha", ['not topic harem', 'not topic mecha']],
    ['not a fan of harem', ['not topic harem']],
    ['hated monster', ['not title Monster']],
    ["didn't like naruto", ['not title Naruto']],
    ['like Naruto not like Monster', ['like Naruto', 'not title Monster']],
    ["i'm done with harem where he is sad", ['not topic harem', 'not topic sad']],
    ["i'm done with harem but mecha is good", ['not topic harem', 'topic mecha']],
    ['comedy but mecha was too much', ['topic Comedy', 'not topic mecha']],
    ['comedy, already seen naruto', ['topic Comedy', 'not title Naruto']],
    ['comedy. i already know naruto', ['topic Comedy', 'not title Naruto']],
    [
      'comedy, already seen naruto, monster and mushishi',
      ['topic Comedy', 'not title Naruto', 'not title Monster', 'not title Mushishi'],
    ],
    // Lists.
    [
      'comedy, no harem, mecha or romance',
      ['topic Comedy', 'not topic harem', 'not topic mecha', 'not topic Romance'],
    ],
    [
      'comedy not naruto monster or mushishi',
      ['topic Comedy', 'not title Naruto', 'not title Monster', 'not title Mushishi'],
    ],
    ['comedy, no harem, romance', ['topic Comedy', 'not topic harem', 'topic Romance']],
    [
      'comedy without romance mecha or horror',
      ['topic Comedy', 'not topic Romance', 'not topic mecha', 'not topic Horror'],
    ],
    ['no romance comedy', ['not topic Romance', 'topic Comedy']],
    ['not sad mecha or comedy', ['not topic sad', 'topic mecha', 'topic Comedy']],
    [
      'comedy without levels, stats or number menus',
      ['topic Comedy', 'not words levels', 'not words stats', 'not words number menus'],
    ],
    [
      'comedy no stats no levels, mecha',
      ['topic Comedy', 'not words stats', 'not words levels', 'topic mecha'],
    ],
    ['not stupid and sad', ['not words stupid', 'topic sad']],
    ['comedy with hardly any romance', ['topic Comedy', 'not topic Romance']],
    ['comedy light on romance', ['topic Comedy', 'not topic Romance']],
    ['comedy with romance kept to a minimum', ['topic Comedy', 'not topic Romance']],
    [
      'tired of harem, want a comedy with mecha where he loses',
      ['not topic harem', 'topic Comedy', 'topic mecha'],
    ],
    ['romance vibes but not romance', ['not topic Romance']],
    ['comedy, no naruto vibes', ['topic Comedy', 'not title Naruto']],
    ['comedy without monster vibes', ['topic Comedy', 'not title Monster']],
    // What ends a clause.
    ['no timeskip... mecha', ['not words timeskip', 'topic mecha']],
    ['no timeskip… mecha', ['not words timeskip', 'topic mecha']],
    ['no timeskip — mecha', ['not words timeskip', 'topic mecha']],
    ['no timeskip\nmecha', ['not words timeskip', 'topic mecha']],
    // Who tries to remember.
    ['comedy i think. Not Spice and Wolf lol', ['topic Comedy', 'not title Spice and Wolf']],
    ["comedy. isn't monster though", ['topic Comedy', 'not title Monster']],
    ["mecha, i don't think there's romance", ['topic mecha', 'not topic Romance']],
    ['mecha. i dont remember any romance', ['topic mecha', 'not topic Romance']],
    ['horror, finished junji ito already', ['topic Horror', 'not person Junji Itou']],
    ['horror for who finished all of junji ito', ['topic Horror', 'not person Junji Itou']],
    // A title that begins with a subject.
    ['comedy, not mecha boys skool', ['topic Comedy', 'not topic mecha']],
    ['comedy, not mecha boys school', ['topic Comedy', 'not title Mecha Boys School']],
  ])('%s is read', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })

  it.each([
    'a girl tired of mecha',
    'tired of mecha, she wants a harem',
    'a boy sees a light on the mecha',
    'tired of mecha she leaves',
    'someone sick of romance',
    'apart from his harem a boy lives here',
    'a boy who already knows naruto',
    'a boy over a harem',
    'the girl says her harem was too much',
    'she is done with naruto',
  ])('%s tells of somebody, and excludes nothing', (query) => {
    expect(interpret(query).readings.filter(({ excluded }) => excluded)).toEqual([])
  })

  it.each([
    ['a boy climbs a tower with his friends, not naruto', 'Naruto'],
    ['a boy climbs a tower, it is NOT spice', 'Spice and Wolf'],
    ['not monster, a boy climbs a tower', 'Monster'],
  ])('a story excludes a work in a clause of its own: %s', (query, title) => {
    expect(read(query)).toEqual([`not title ${title}`])
  })

  it('a title that is spelt so keeps its negation', () => {
    const titled = (title: string) => (text: string) =>
      plain(text) === plain(title) ? [{ row: 0, title, similarity: 1 }] : []
    const exact = titled('Boku no Harem')
    const interpret = createInterpreter({
      ...options,
      titles: {
        exact,
        match: (text) => [
          ...exact(text),
          ...titled('Harem no Mecha Ou')(text.replace('mecha', 'mecha ou')),
        ],
        mentions: () => [],
      },
    })
    const read = (query: string) =>
      interpret(query).readings.map(({ kind, label, excluded }) => [kind, label, excluded])
    expect(read('boku no harem')).toEqual([['title', 'Boku no Harem', false]])
    expect(read('like boku no harem no mecha')).toEqual([
      ['like', 'Boku no Harem', false],
      ['topic', 'mecha', true],
    ])
    expect(read('sad boku no harem')).toContainEqual(['topic', 'harem', false])
    expect(read('harem no mecha')).toEqual([
      ['topic', 'harem', false],
      ['topic', 'mecha', true],
    ])
  })

  it('a work whose head has as many words as a fact is excluded with it', () => {
    const heads = (text: string) =>
      plain(text) === 'mecha' ? [{ row: 0, title: 'Mecha/Zero', similarity: 0.86 }] : []
    const interpret = createInterpreter({ ...options, titles: { ...lookup, heads } })
    const labels = (query: string) => interpret(query).readings.map(({ label }) => label)
    expect(labels('comedy but not mecha')).toEqual(['Comedy', 'mecha', 'Mecha/Zero'])
    expect(labels('comedy without mecha')).toEqual(['Comedy', 'mecha'])
  })

  it('a work that is excluded is not what is looked for, nor a text', () => {
    const { readings, text, explained } = interpret('romance but not spice and wolf')
    expect(readings).toMatchObject([
      { kind: 'topic' },
      { kind: 'title', excluded: true, rows: [7] },
    ])
    expect([text, explained]).toEqual(['romance', 1])
  })

  it.each(['a boy who is not naruto', 'no', 'not a', 'comedy not of mecha boys who fly in space'])(
    '%s excludes no work',
    (query) => {
      const titlesOf = interpret(query).readings.filter(({ kind }) => kind === 'title')
      expect(titlesOf.filter(({ excluded }) => excluded)).toEqual([])
    },
  )

  it.each([
    'a boy without mecha',
    'a girl who has no mecha',
    'a world without men',
    'hero with no mecha or powers',
    'a kid with no naruto',
    'a princess without a school',
    'a boy who was born without mecha',
    'a boy skips school',
    'a princess who hates mecha',
  ])('%s tells what somebody lacks, as text', (query) => {
    const { readings, text } = interpret(query)
    expect(readings).toEqual([])
    expect(text).toContain(query.split(' ').at(-1))
  })

  it.each([
    // Of somebody, but said of works alone.
    ['strong girl without romance', ['not topic Romance']],
    ['girl who is strong, no mecha', ['not topic mecha']],
    // Of works.
    ['anime without mecha', ['not topic mecha']],
    ['a movie with no mecha', ['type movie', 'not topic mecha']],
    ['harem with no mecha', ['topic harem', 'not topic mecha']],
  ])('%s excludes what a work may have', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })

  it.each([
    ['sad, no wait, a comedy', 'a comedy'],
    ['sad romance no, anything but that, a comedy', 'a comedy'],
    ['old romance, no a comedy', 'a comedy'],
    ['sad romance? no - a comedy', 'a comedy'],
    ['a boy is sad?? no wait… a comedy', 'a comedy'],
    ['sad romance, scratch that, a comedy', 'a comedy'],
  ])('%s takes back what was said', (query, text) => {
    const { readings, text: left } = interpret(query)
    expect(readings.map(({ label, begin }) => [label, begin])).toEqual([
      ['Comedy', query.indexOf('comedy')],
    ])
    expect(text).toContain(left)
  })

  it.each(['comedy, no romance', 'comedy no wait', 'a comedy, no'])(
    '%s takes back nothing',
    (query) => {
      expect(read(query)).toContain('topic Comedy')
    },
  )

  it('what is kept is all that is left where nothing is read', () => {
    expect(interpret('small pig, no wait fly plane pig')).toMatchObject({
      readings: [],
      kept: 'fly plane pig',
    })
    expect(interpret('fly plane pig').kept).toBeUndefined()
  })

  it.each([
    ['kodoku no comedy', ['topic Comedy']],
    ['Nobunaga no Comedy', ['topic Comedy']],
    ['naruto no comedy', ['like Naruto', 'not topic Comedy']],
    ['mecha no comedy', ['topic mecha', 'not topic Comedy']],
    ['anime no comedy', ['not topic Comedy']],
    ['sad, no comedy', ['topic sad', 'not topic Comedy']],
    ['something wild no comedy', ['not topic Comedy']],
  ])('of %s a no between Japanese words excludes nothing', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })

  it.each([
    ["a boy who says he'll go", []],
    ['comedy for kids', ['topic Comedy', 'audience for kids']],
    ['an institute for kids', []],
    ['naruto like comedy', ['like Naruto', 'topic Comedy']],
    ['naruto is like comedy', ['topic Comedy']],
    ['anime like: naruto', ['like Naruto']],
    ['something like... naruto', ['like Naruto']],
  ])('%s says no more', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })

  it('who corrects a word in a story takes back no more', () => {
    expect(read('a boy in a harem wraps it, no, offers it')).toEqual(['topic harem'])
  })

  it('what is excluded is no part of the text', () => {
    expect(interpret('school comedy without romance').text).toBe('school comedy')
    expect(interpret('no harem').text).toBe('')
  })

  it.each([
    // A phrase that holds the negation is the longer one.
    ['a hero with no memory', ['topic no memory']],
    // A story that says in passing what somebody is not.
    ['a boy who is not afraid of anything meets a spirit', []],
    ['a detective without a past solves old crimes in town', ['years old']],
    // A studio's name of one common word is no name in a story.
    ['a girl finds the bones of a whale in her garden', []],
    ['no', []],
    ['without', []],
  ])('%s excludes nothing', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })
})

describe('other makers', () => {
  it.each([
    'Junji Ito fan here who wants something scary but by different authors',
    'satoshi kon fan, but by somebody else',
    'kyoto animation but from another studio',
  ])('%s excludes who is named', (query) => {
    expect(interpret(query).readings[0]).toMatchObject({ excluded: true })
  })

  it('are nobody where none is named', () => {
    expect(read('sad anime by other mangaka')).toEqual(['topic sad'])
    expect(interpret('sad anime by other mangaka').text).toBe('sad')
  })

  it.each(['Junji Ito fan here, what else is there like it', 'by Satoshi Kon, another one'])(
    'are not asked for by %s',
    (query) => {
      expect(interpret(query).readings).toMatchObject([{ kind: 'person', excluded: false }])
    },
  )

  it('are not asked for by what is said of somebody else later on', () => {
    const query = 'by Satoshi Kon. the one with a star, sad. not by him the songs'
    expect(interpret(query).readings[0]).toMatchObject({ kind: 'person', excluded: false })
  })

  it('are those that an exception excludes', () => {
    expect(read('sad anime by other authors than Junji Ito')).toEqual([
      'topic sad',
      'not person Junji Itou',
    ])
  })
})

describe('who hates something of a work', () => {
  it.each([
    ["sad anime for grown ups who hated Naruto's bleakness", ['not title Naruto']],
    ["i hated Naruto's romance, recommend something", ['not title Naruto']],
    ["couldn't stand Naruto's hero", ['not title Naruto']],
  ])('does not want it: %s', (query, wanted) => {
    expect(read(query)).toEqual(expect.arrayContaining(wanted))
    expect(read(query)).not.toContain('like Naruto')
    expect(read(query)).not.toContain('title Naruto')
  })

  it.each(['anime for my friend who loves Naruto', 'for fans who loved Naruto'])(
    'wants others like it in %s',
    (query) => {
      expect(read(query)).toContain('like Naruto')
    },
  )
})

describe('everyday words of other languages', () => {
  const bilingual = createInterpreter({
    ...options,
    titles: {
      ...lookup,
      match: () => [],
      withWords: (words) =>
        ['pero', 'yuyu'].includes(words.join(' '))
          ? [{ row: 0, title: 'Pero Pero', similarity: 0.5 }]
          : [],
    },
  })

  it('name no title', () => {
    expect(bilingual('quiero algo triste, pero con esperanza').readings).toEqual([])
    expect(bilingual('algo triste con yuyu').readings).toMatchObject([{ kind: 'title' }])
  })
})

describe('references', () => {
  it.each([
    ['anime like Mushishi', ['like Mushishi']],
    ['something similar to k-on', ['like K-On!']],
    ['like Mushishi and Monster', ['like Mushishi', 'like Monster']],
    ['like the anime Spice and Wolf', ['like Spice and Wolf']],
    ['Naruto but darker', ['like Naruto', 'topic dark']],
    // A girl or a boy in it makes it no story.
    ['the girl of the school but dark', ['like The Girl of the School', 'topic dark']],
    ['mecha but not harem', ['topic mecha', 'not topic harem']],
    ['by the makers of Mushishi', ['makers Mushishi']],
    ['a naruto like anime with romance', ['like Naruto', 'topic Romance']],
    ['spice and wolf-like romance', ['like Spice and Wolf', 'topic Romance']],
    ['something between Mushishi and Monster', ['like Mushishi', 'like Monster']],
    ['like the movie Monster', ['like Monster']],
    ['like a boy', ['like A Boy']],
    ['like spice with romance', ['like Spice and Wolf', 'topic Romance']],
    ['like spice with no romance', ['like Spice and Wolf', 'not topic Romance']],
    ['like spice from 2011', ['like Spice and Wolf', 'years from 2011']],
    ['like spice something', ['like Spice and Wolf']],
    ['something like the girl of school', ['like The Girl of the School']],
    [
      'sci fi like steins;gate but no time travel',
      ['topic Sci-Fi', 'like Steins;Gate', 'not topic time travel'],
    ],
  ])('%s', (query, readings) => {
    expect(read(query)).toEqual(readings)
  })

  it.each([
    'a girl who looks like a boy',
    'she feels like monster food',
    'like',
    'similar to',
    'like nothing else',
    'like anime',
    'looks like anime',
    'something like a girl of school who flies',
    'like spice the last bender',
    'like wolf of the round table',
    'like girl school',
    'something between',
    'a girl is naruto like that',
    'feels like a school',
    'like a school with monsters',
    'mushishi not',
    'a cat-like monster eats rice',
    'the girl of the school but one day all of her friends leave',
    'the girl of the school but',
  ])('%s names no work', (query) => {
    expect(interpret(query).readings.filter(({ kind }) => kind === 'like')).toEqual([])
  })

  it('a name of four letters is a work where nothing else is said', () => {
    const match = (text: string) =>
      text === 'jojo' ? [{ row: 9, title: "JoJo's Bizarre Adventure", similarity: 0.86 }] : []
    const read = createInterpreter({ ...options, titles: { ...lookup, match } })
    const likes = (query: string) =>
      read(query).readings.flatMap((reading) => (reading.kind === 'like' ? [reading.label] : []))
    expect(likes('like jojo')).toEqual(["JoJo's Bizarre Adventure"])
    expect(likes('anime like jojo')).toEqual(["JoJo's Bizarre Adventure"])
    expect(likes('it looks like jojo')).toEqual([])
    expect(likes('like jojo food')).toEqual([])
  })

  it.each([
    ['same author as monster', 'author'],
    ['by the writer of monster', 'author'],
    ['from the same studio as monster', 'studio'],
    ['made by the studio that made monster', 'studio'],
    ['the studio behind monster', 'studio'],
    ['from the creator of monster', 'creator'],
    ['the director of monster', 'director'],
    ['by the people who made monster', undefined],
    ['made by the team behind monster', undefined],
    ['by the guy who made monster', 'creator'],
    ['from the man behind monster', 'creator'],
    ['by the woman that wrote monster', 'author'],
    ['by the guy who directed monster', 'director'],
    ['by the guys who made monster', undefined],
  ])('%s tells the role of makers', (query, role) => {
    const [reading, ...others] = interpret(query).readings
    expect(reading).toMatchObject({ kind: 'makers', label: 'Monster', begin: 0, end: query.length })
    expect(reading && 'role' in reading ? reading.role : undefined).toBe(role)
    expect(others).toEqual([])
  })

  it.each([
    'the crew of the monster',
    'the man behind monster',
    'the people of monster',
    'an author who made it',
  ])('%s tells no makers', (query) => {
    expect(interpret(query).readings.filter(({ kind }) => kind === 'makers')).toEqual([])
  })

  it('a title is no text to compare with', () => {
    expect(interpret('anime like Mushishi').text).toBe('')
  })

  it('a subject is a work where it is all of a title before its subtitle, not where it is a part of one', () => {
    const asTitle = (similarity: number) => {
      const match = (text: string) =>
        text === 'harem comedy'
          ? [{ row: 0, title: 'Harem Comedy: The First Year', similarity }]
          : []
      const { readings } = createInterpreter({ ...options, titles: { ...lookup, match } })(
        'anime like harem comedy',
      )
      return readings.map(({ kind, label }) => `${kind} ${label}`)
    }
    expect(asTitle(0.99)).toEqual(['like Harem Comedy: The First Year'])
    expect(asTitle(0.92)).toEqual(['topic harem comedy'])
  })
})

describe('several works', () => {
  it.each([
    ['mushishi meets naruto', true],
    ['a mix of mushishi and naruto', true],
    ['something between mushishi and naruto', true],
    ['like mushishi and naruto', false],
    ['loved mushishi and naruto, what next', false],
    ['like mushishi where worlds meet', false],
    ['a boy meets a girl', false],
    ['', false],
  ])('%j: one work is to be like each: %s', (query, isCross) => {
    expect(interpret(query)).toMatchObject({ isCross })
  })
})

describe('a subject', () => {
  it('is no title that has its word among others', () => {
    expect(read('mecha')).toEqual(['topic mecha'])
    expect(read('mecha boys school')[0]).toBe('title Mecha Boys School')
  })
})

describe('a subject that is all of a title before its subtitle', () => {
  const match = (text: string) =>
    text === 'mecha' ? [{ row: 3, title: 'Mecha: The Beginning', similarity: 0.99 }] : []
  const read = createInterpreter({ ...options, titles: { ...lookup, match, exact: () => [] } })

  it('is that work beside words that say of what kind it is, too', () => {
    const readings = read('mecha movie').readings.map(({ kind }) => kind)
    expect(readings).toEqual(['title', 'topic', 'type'])
  })
})

describe('a subject that is one of several of a tag', () => {
  const titled = (words: readonly string[]) =>
    words.join(' ') === 'goblin' ? [4, 7] : words.join(' ') === 'goblins' ? [7] : []
  const tags = { ...options.lexicon.tags, dark: ['goblin', 'grim'] }
  const read = createInterpreter({
    ...options,
    lexicon: { ...options.lexicon, tags },
    titles: { ...lookup, titled },
  })

  it.each(['anime about goblins', 'goblin anime'])(
    '%s has the works whose titles tell it',
    (query) => {
      const [reading] = read(query).readings
      expect(reading).toMatchObject({ kind: 'topic', tags: ['dark'] })
      expect(reading && 'rows' in reading ? [...(reading.rows ?? [])].toSorted() : []).toEqual([
        4, 7,
      ])
    },
  )

  it('has none where its words stand for all of the tag, or in a story', () => {
    expect(read('grim anime').readings[0]).not.toHaveProperty('rows')
    expect(read('a boy who is a goblin').readings[0]).not.toHaveProperty('rows')
  })

  it('is none in passing', () => {
    const tags = { ...options.lexicon.tags, dark: ['go'] }
    const read = createInterpreter({ ...options, lexicon: { ...options.lexicon, tags } })
    expect(read('manga about go').readings).toMatchObject([{ kind: 'topic', label: 'go' }])
    expect(read('a boy who has to go home').readings).toEqual([])
  })
})

describe('subjects', () => {
  it.each([
    ['mecha comedy', ['topic mecha', 'topic comedy']],
    ['mecha romance series', ['topic mecha', 'topic romance', 'type series']],
  ])('%s is two, and no title that has both words', (query, readings) => {
    const match = () => [{ row: 0, title: 'A Comedy of Mecha', similarity: 0.86 }]
    const read = createInterpreter({ ...options, titles: { ...lookup, match, exact: () => [] } })
    const told = read(query).readings.map(({ kind, label }) => `${kind} ${label.toLowerCase()}`)
    expect(told).toEqual(readings)
  })
})

describe('a title inside a query', () => {
  it('is read beside the text, less surely', () => {
    const { readings, text } = interpret('the merchant of spice and wolf')
    expect(readings).toMatchObject([
      { kind: 'title', label: 'Spice and Wolf', begin: 16, end: 30, confidence: 0.6 },
    ])
    expect(text).toBe('merchant spice wolf')
  })

  it('is text where it is told by its part, and ignored', () => {
    const query = 'naruto the one with mecha'
    const kinds = (ignored: readonly { begin: number; end: number }[]) =>
      interpret(query, ignored).readings.map(({ kind, begin, end }) => `${kind} ${begin} ${end}`)
    expect(kinds([])).toEqual(['title 0 14'])
    expect(kinds([{ begin: 0, end: 14 }])).toEqual(['topic 20 25'])
  })

  it('is text where it is ignored, and in a long story', () => {
    const query = 'the merchant of spice and wolf'
    expect(interpret(query, [{ begin: 16, end: 30 }]).readings).toEqual([])
    expect(interpret(`${query} ${'told at length '.repeat(6)}`).readings).toEqual([])
  })
})

describe('people', () => {
  it.each(['horror by junji ito', 'junji itou horror', 'ito junji horror'])('%s', (query) => {
    expect(read(query)).toContain('person Junji Itou')
  })
})

describe('a wish in many words', () => {
  const query =
    'i just finished naruto and want something with giant robots that is sad, preferably not too long'

  it('is a wish still, and names its work in small letters', () => {
    const { readings } = interpret(query)
    expect(readings.map(({ kind }) => kind)).toEqual(['like', 'topic', 'topic', 'length'])
  })

  it('is a story where somebody does something', () => {
    expect(interpret(`${query} and where she meets naruto`).text).toContain('i just finished')
  })
})

describe('a work in small letters inside a story', () => {
  it('is named after a word for works, and not by what looks like it', () => {
    const named = interpret('an anime like steins gate where she travels through time')
    expect(named.readings[0]).toMatchObject({ kind: 'like', rows: [4] })
    const story = interpret('a girl who looks like a boy travels through time')
    expect(story.readings.map(({ kind }) => kind)).not.toContain('like')
  })
})

describe('the whole', () => {
  it('a title of several words is nothing else', () => {
    expect(read('school days')).toEqual(['title School Days'])
    expect(interpret('school days')).toMatchObject({ text: 'school days', explained: 0 })
  })

  it('says how much of the query it explains', () => {
    expect(interpret('short romance').explained).toBe(1)
    expect(interpret('romance on a trawler').explained).toBeCloseTo(0.5)
    expect(interpret('a boy finds a notebook').explained).toBe(0)
  })

  it.each([
    'romance or comedy',
    'comedy and romance',
    'short or sad romance',
    'comedy, or romance',
  ])('explains the join of %s', (query) => {
    expect(interpret(query).explained).toBe(1)
    expect(interpret(query).text).not.toMatch(/\b(?:or|and)\b/)
  })

  it.each(['romance or a trawler', 'trawlers or romance', 'romance or'])(
    'does not explain that of %s',
    (query) => {
      expect(interpret(query).explained).toBeLessThan(0.7)
      expect(interpret(query).text).toMatch(/\bor\b/)
    },
  )

  it('spans are positions in the query', () => {
    const query = '  a SAD comedy — without Romance!'
    const words = interpret(query).readings.map(({ begin, end }) => query.slice(begin, end))
    expect(words).toEqual(['SAD', 'comedy', 'without Romance'])
  })

  it.each([
    '',
    ' ',
    '!?',
    '\u{1f600}',
    '\ud800',
    '\u202eabc',
    'a'.repeat(10_000),
    'no '.repeat(2000),
  ])('any text is safe', (query) => {
    const { readings, explained } = interpret(query)
    expect(readings.every(({ begin, end }) => begin >= 0 && end <= query.length)).toBe(true)
    expect(explained).toBeGreaterThanOrEqual(0)
    expect(explained).toBeLessThanOrEqual(1)
  })
})

describe('a wish', () => {
  it('may have a girl in a phrase', () => {
    const tags = [...options.tags, tag('magical-girl', 'magical girl')]
    const { readings } = createInterpreter({ ...options, tags })('magical girl except mushishi')
    expect(readings).toMatchObject([{ kind: 'topic' }, { kind: 'title', excluded: true }])
  })
})

describe('who is told of in a story', () => {
  it.each(['a boy called mecha', 'girl named school', 'a robot that is called harem'])(
    '%s is no wish for what the name means',
    (query) => {
      const word = query.split(' ').at(-1)
      expect(read(query).filter((reading) => reading.endsWith(word ?? ''))).toEqual([])
    },
  )

  const withKids = createInterpreter({ ...options, tags: [tag('child-lead', 'kid', 'little kid')] })
  const topics = (query: string) => withKids(query).readings.map(({ label }) => label)

  it('is no wish for such people', () => {
    expect(topics('a kid finds a door where nobody looks')).toEqual([])
    expect(topics('the one where a kid is sad')).toEqual([])
  })

  it('is one where the words say more, or list what is wanted', () => {
    expect(topics('a little kid who finds a door')).toEqual(['little kid'])
    expect(withKids('adventure for children with kids').readings.length).toBeGreaterThan(0)
  })
})
