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
const options = {
  lexicon: readLexicon('data/query/en.json'),
  tags: readTagWords('data/works/tags.json'),
  names: { genres: ['Action', 'Comedy', 'Horror', 'Romance'], studios: ['feel.'], people: ['ONE'] },
  titles: { exact: none, match: none, mentions: none },
}
const interpret = createInterpreter(options)
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

  it.each([
    ['no high school please', ['high-school', 'magic-academy', 'school-club']],
    ['historical anime not about japan', ['edo-japan', 'feudal-japan']],
    ['historical, not set in japan', ['edo-japan', 'feudal-japan']],
  ])('mean more where they are excluded: %s', (query, tags) => {
    const excluded = interpret(query).readings.filter((reading) => reading.excluded)
    expect(excluded).toMatchObject([
      { kind: 'topic', tags: expect.arrayContaining(tags) as unknown },
    ])
  })

  it.each([
    'high school romance',
    'anime set in japan',
    'a samurai who is not in japan any more and looks for his home',
  ])('mean no more where they are not: %s', (query) => {
    expect(meant(query)).not.toContain('magic-academy')
    expect(meant(query)).not.toContain('edo-japan')
  })

  it('are no years where what is modern is a place', () => {
    expect(meant('vampires in a modern city')).toEqual(['vampires', 'big-city'])
    expect(meant('a wizard in the modern world')).not.toContain('years')
    expect(meant('modern vampires')).toContain('years')
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

describe('who leads', () => {
  it.each([
    ...['with a woman in the lead', 'female led', 'isekai with an fmc', 'led by women'],
    ...['fantasy with a woman as the main character', 'female lead'],
  ])('is a woman in %s', (query) => {
    expect(meant(query)).toContain('strong-heroine')
  })

  it.each(['a girl leads a village', 'a girl is led by a fox', 'a guy as the mc'])(
    'is not told by %s',
    (query) => {
      expect(meant(query)).not.toContain('strong-heroine')
    },
  )

  it('says nothing more where it is a man, and tells no story', () => {
    const query = 'short anime with a guy as the main character'
    expect(meant(query)).toEqual(['length'])
    for (const story of ['a guy as short as a dwarf', 'a guy leads a short life'])
      expect(meant(story)).not.toContain('length')
  })
})

describe('when and where a work is set', () => {
  it('is no year of its release', () => {
    expect(meant('set in the 1920s')).toEqual(['taisho-and-early-showa'])
    expect(meant('anime of the 1920s')).toEqual(['years'])
    expect(meant('set in the future')).toContain('far-future')
    expect(meant('sees the future')).not.toContain('far-future')
  })

  it('says nothing by itself', () => {
    expect(interpret('takes place in space').explained).toBe(interpret('space').explained)
  })
})

describe('what is not wanted', () => {
  it.each([
    ['romance without being too sad', 'sad'],
    ['horror, not set at school', 'school'],
    ['action instead of romance', 'romance'],
    ['action, no big fights', 'fights'],
  ])('in %s is %s', (query, label) => {
    const excluded = interpret(query).readings.filter((reading) => reading.excluded)
    expect(excluded.map((reading) => reading.label.toLowerCase())).toEqual([label])
  })

  it('is none of that in a story where somebody does something instead of another', () => {
    const { readings } = interpret('he picks revenge instead of romance')
    expect(readings.filter(({ excluded }) => excluded)).toEqual([])
  })
})

describe('superlatives', () => {
  it.each([
    ['saddest anime', 'sad'],
    ['the funniest', 'funny'],
    ['scariest anime ever', 'scary'],
    ['darkest manga', 'dark'],
    ['cutest romance', 'cute romance'],
    ['weirdest', 'weird'],
    ['newest anime', 'new'],
  ])('%s is %s', (query, plain) => {
    expect(meant(query)).toEqual(meant(plain))
    expect(meant(plain)).not.toEqual([])
  })

  it.each(['conquest', 'honest', 'a harvest', 'hardest', 'the witchest', 'modest'])(
    '%s is none',
    (query) => {
      expect(meant(query)).toEqual([])
    },
  )

  it('of somebody in a story say nothing of the work', () => {
    expect(meant('a boy who is the saddest of them')).toEqual([])
  })
})

describe('who is to watch it', () => {
  it.each([
    ['watch with my little sister (shes 7)', 'audience'],
    ['my son would like', 'audience'],
    ['hes 9', 'audience'],
    ['for an 8 yo', 'audience'],
    ['for my 6yo', 'audience'],
    ['for my dad', 'fame'],
    ['my mom would like', 'fame'],
    ['something my girlfriend who hates anime would like', 'fame'],
    ['highest rated', 'fame'],
    ['shonen jump', 'audience'],
  ])('%s tells the %s', (query, kind) => {
    expect(new Set(meant(query))).toEqual(new Set([kind]))
  })

  it.each(['shes 17', '16yo', 'hes 30', 'aged', '8 yoyos', 'a dad', 'my little sister'])(
    '%s tells none',
    (query) => {
      expect(meant(query)).not.toContain('audience')
      expect(meant(query)).not.toContain('fame')
    },
  )
})

describe('words that say nothing', () => {
  it.each([
    ['netflix original', 'source'],
    ['netflix original anime', 'source'],
    ['hulu originals', 'source'],
    ['killed one by one', 'person'],
    ['horror but better lol', 'funny'],
    ['romance with good writing', 'writing-and-books'],
  ])('%s tells no %s', (query, kind) => {
    expect(meant(query)).not.toContain(kind)
  })

  it('are none where they are no part of such a phrase', () => {
    expect(meant('original anime')).toEqual(['source'])
    expect(meant('anime about writing')).toContain('writing-and-books')
    expect(meant('something by one')).toEqual(['person'])
  })

  it('explain all of a lead of whom no tag tells', () => {
    expect(interpret('romance with a male lead')).toMatchObject({ text: 'romance', explained: 1 })
  })
})

describe('a girl who leads', () => {
  it.each(['mc is a girl', 'main character is a girl', 'action where the mc is a girl'])(
    '%s',
    (query) => {
      expect(meant(query)).toContain('strong-heroine')
    },
  )

  it.each(['mc meets a girl', 'a girl', 'the main character likes a girl'])(
    'is none of %s',
    (query) => {
      expect(meant(query)).not.toContain('strong-heroine')
    },
  )
})

describe('what has ended', () => {
  it.each([
    ...['finished', 'completed manga', 'complete', 'is it finished', 'romance, completed'],
    ...['romance that has an ending', 'manga where a boy meets a girl, finished', 'still running'],
    ...['a manga that is finished', 'ongoing', 'not finished'],
  ])('%s', (query) => {
    expect(meant(query)).toContain('status')
  })

  it('has not where it is not finished', () => {
    expect(interpret('not finished').readings).toMatchObject([
      { kind: 'status', value: 'ongoing', excluded: false },
    ])
  })

  it.each([
    ...['something happy after i finished a depressing show', 'finished bleach and want more'],
    ...['he finished his training', 'a boy who completed the game', 'ive finished'],
  ])('is not told by %s', (query) => {
    expect(meant(query)).not.toContain('status')
  })
})

describe('art', () => {
  const berserk = (text: string) =>
    text.toLowerCase() === 'berserk' ? [{ row: 0, title: 'Berserk', similarity: 1 }] : []
  const withBerserk = createInterpreter({
    ...options,
    titles: { ...options.titles, exact: berserk, match: berserk },
  })

  it.each(['art like berserk', 'art style like Berserk'])(
    '%s is of the work, not its subject',
    (query) => {
      const { readings } = withBerserk(query)
      expect(readings).toMatchObject([
        { kind: 'topic', tags: expect.arrayContaining(['detailed-art']) as unknown },
        { kind: 'like', label: 'Berserk' },
      ])
      expect(readings[0]?.end).toBeLessThanOrEqual(readings[1]?.begin ?? 0)
    },
  )

  it('is a subject where nothing is said of it', () => {
    expect(meant('art that good')).toContain('detailed-art')
    expect(interpret('romance with good art style').explained).toBe(1)
    expect(meant('manga about art')).not.toContain('detailed-art')
    expect(meant('manga about art')).not.toEqual([])
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
