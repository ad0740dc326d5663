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

  it('of people are a subject where they are one: samurai', () => {
    const read = (query: string) =>
      interpret(query).readings.map(({ label, excluded }) => (excluded ? `not ${label}` : label))
    expect(read('samurai without superpowers')).toEqual(['samurai', 'not superpowers'])
    expect(read('witch without superpowers')).toEqual(['witch'])
  })

  it.each([
    ['1920s detective', 'taisho-and-early-showa'],
    ['sad stories about getting old', 'elderly'],
    ['nearly silent, minimal dialogue', 'no-dialogue'],
    ['a romance that gets resolved', 'status'],
    ['hate when nothing gets resolved', 'status'],
    ['mystery with a real conclusion', 'status'],
  ])('%s means %s', (query, wanted) => {
    expect(meant(query)).toContain(wanted)
    expect(meant(query)).not.toContain('years')
  })

  it('are those of the lists, not what the lists are called', () => {
    const people = ['Ito Confidence', 'Ito Phrases', 'Ito Cozy']
    const withPeople = createInterpreter({ ...options, names: { ...options.names, people } })
    const peopleOf = (query: string) =>
      withPeople(query).readings.flatMap((one) => (one.kind === 'person' ? [one.value] : []))
    expect(peopleOf('by confidence')).toEqual(['Ito Confidence'])
    expect(peopleOf('by phrases')).toEqual(['Ito Phrases'])
    expect(peopleOf('by cozy')).toEqual([])
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
    'with a woman in the lead',
    'female led',
    'isekai with an fmc',
    'led by women',
    'fantasy with a woman as the main character',
    'female lead',
  ])('is a woman in %s', (query) => {
    expect(meant(query)).toContain('strong-heroine')
  })

  it.each(['a girl leads a village', 'a girl is led by a fox', 'a guy as the mc'])(
    'is not told by %s',
    (query) => {
      expect(meant(query)).not.toContain('strong-heroine')
    },
  )

  it.each([
    ['villain as main character', 'villain-lead'],
    ['villain as the mc', 'villain-lead'],
    ['the protagonist is a villain', 'villain-lead'],
    ['protagonist is a cat', 'animal-lead'],
    ['a cat as the main character', 'animal-lead'],
    ['the mc is a vampire', 'non-human-lead'],
    ['main character is weak', 'weak-to-strong'],
    ['old man as the protagonist', 'elderly'],
  ])('is said in many ways: %s', (query, tag) => {
    expect(meant(query)).toContain(tag)
  })

  it.each([
    ['main character meets a villain', 'villain-lead'],
    ['villain as a main theme', 'villain-lead'],
    ['cat and its protagonist', 'animal-lead'],
    ['protagonist has a cat', 'animal-lead'],
    ['the mc hunts vampires', 'non-human-lead'],
  ])('is not everybody who is named beside a role: %s', (query, tag) => {
    expect(meant(query)).not.toContain(tag)
  })

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

/** The tags and genres that a query excludes. */
const excluded = (query: string) =>
  interpret(query).readings.flatMap((reading) =>
    reading.excluded && reading.kind === 'topic' ? [...reading.tags, ...reading.genres] : [],
  )
const wished = (query: string) =>
  interpret(query).readings.flatMap((reading) =>
    !reading.excluded && reading.kind === 'topic' ? [...reading.tags, ...reading.genres] : [],
  )

describe('what nobody has', () => {
  it.each([
    ['something where nobody has superpowers', 'superpower-battles'],
    ['slice of life where no one has powers', 'superpower-battles'],
    ['drama where no one dies', 'major-deaths'],
    ['romance where nobody ever dies', 'major-deaths'],
  ])('is excluded by %s', (query, tag) => {
    expect(excluded(query)).toContain(tag)
    expect(wished(query)).not.toContain(tag)
  })

  it.each([
    'a town where nobody has magic',
    'a boy in a world where no one has superpowers',
    'nobody knows about this isekai',
    'nobody has seen it',
    'a girl whom nobody remembers',
    'a clumsy nobody and a detective',
    'nobody talks to her',
  ])('is not by %s', (query) => {
    expect(interpret(query).readings.filter((reading) => reading.excluded)).toEqual([])
  })
})

describe('what is excluded with what follows it', () => {
  it.each([
    'isekai no high school kids',
    'mecha, not high school students',
    'romance no school kids',
    'mecha without high schoolers',
  ])('is school alone in %s', (query) => {
    expect(excluded(query)).toContain('high-school')
    expect(wished(query)).not.toContain('child-lead')
  })

  it('is the genre of fights, too', () => {
    expect(excluded('fantasy no fighting')).toEqual(expect.arrayContaining(['Action']))
    expect(excluded('fantasy without any fight scenes')).toContain('Action')
    expect(wished('fantasy with good fights')).not.toContain('Action')
  })

  it.each([
    ['BL without the assault stuff', 'sexual-violence'],
    ['romance no noncon', 'sexual-violence'],
    ["strong female lead who isn't sexualised", 'fan-service'],
    ['fantasy with no sexualization', 'fan-service'],
    ['women who are not oversexualized', 'fan-service'],
    ['burned by every anime with unfinished story', 'stops-midway'],
  ])('%s excludes %s', (query, tag) => {
    expect(excluded(query)).toContain(tag)
  })

  it('is nothing where a work is only pointed at', () => {
    const { readings, text } = interpret('romance with vampires but not that one')
    expect(readings.filter((reading) => reading.excluded)).toEqual([])
    expect(text).toBe('romance vampires')
    expect(excluded('comedy but not that scary')).toContain('scary')
    expect(wished('assault on a fortress')).not.toContain('sexual-violence')
  })
})

describe('what is weighed', () => {
  it.each([
    ['strategy over action', 'Action'],
    ['plot over fights', 'adrenaline'],
    ['mystery with story over fanservice', 'fan-service'],
    ['character development over romance', 'love-story'],
  ])('in %s is less than what stands before', (query, lighter) => {
    expect(wished(query)).not.toContain(lighter)
    expect(excluded(query)).toContain(lighter)
  })

  it('is half as sure as what is excluded', () => {
    const [, over] = interpret('strategy over action').readings
    const [, without] = interpret('strategy without action').readings
    expect(over?.confidence).toBe((without?.confidence ?? 0) / 2)
  })

  it.each([
    'war over magic',
    'a king who rules over demons',
    'over the top action',
    'over romance',
  ])('is nothing in %s', (query) => {
    expect(excluded(query)).toEqual([])
  })
})

describe('for whom something is wished', () => {
  it.each(['something for people who hate romance', 'anime for fans who are tired of romance'])(
    'says what they do not want: %s',
    (query) => {
      expect(excluded(query)).toContain('love-story')
    },
  )

  it.each(['a nurse cares for a man who hated romance', 'a boy who hated romance'])(
    'is told of in no story: %s',
    (query) => {
      expect(excluded(query)).toEqual([])
    },
  )
})

describe('a plural that means something else', () => {
  it.each(['thats sweet', 'sweet romance', 'a sweeter story', 'sweetest couple'])(
    'is none in %s',
    (query) => {
      expect(wished(query)).toContain('wholesome')
      expect(wished(query)).not.toContain('food-and-eating')
    },
  )

  it('is a subject', () => {
    expect(wished('anime about sweets')).toContain('food-and-eating')
    expect(wished('anime about sweets')).not.toContain('wholesome')
    expect(wished('a candy shop')).toContain('food-and-eating')
  })
})

describe('phrases of stories', () => {
  it.each([
    ['week at start but become very strong', 'weak-to-strong'],
    ['starts weak, gets strong', 'weak-to-strong'],
    ['romance with a happy end', 'happy-ending'],
    ['historically accurate samurai', 'edo-japan'],
    ['based on real history', 'feudal-japan'],
    ['space travel', 'space-opera'],
    ['hard scifi', 'real-space-flight'],
    ['scifi hard', 'real-space-flight'],
    ['villain who actually wins', 'sad-ending'],
    ['the bad guys win', 'memorable-villain'],
  ])('%s is %s', (query, tag) => {
    expect(wished(query)).toContain(tag)
  })

  it.each([
    ['girl dresses as a boy', 'cross-dressing'],
    ['girl pretends to be a boy', 'cross-dressing'],
    ['they change bodies', 'body-swap'],
    ['main character tried to die', 'suicide'],
    ['mountaineering', 'unusual-sports'],
    ['coworkers falling in love', 'office-romance'],
    ['two guys raising a kid', 'odd-pair'],
    ['running an inn', 'inn-or-hot-spring'],
    ['romance with a nice guy', 'wholesome'],
    ['healthy relationship', 'wholesome'],
    ['romance comedy', 'romantic-comedy'],
    ['quiz anime', 'battle-of-wits'],
  ])('%s tells of %s', (query, tag) => {
    expect(wished(query)).toContain(tag)
  })

  it.each([
    ["pretends to be a boy's girlfriend", 'cross-dressing'],
    ['dressed for a boy', 'cross-dressing'],
    ['a change of clothes and a body', 'body-swap'],
    ['coworkers at an office', 'office-romance'],
    ['two guys and a kid', 'odd-pair'],
  ])('%s tells of no %s', (query, tag) => {
    expect(wished(query)).not.toContain(tag)
  })

  it('exclude what is toxic, which is said of poison, too', () => {
    expect(excluded('romance, not toxic')).toContain('toxic-love')
    expect(wished('toxic forest')).not.toContain('toxic-love')
  })

  it('are no shorter phrases', () => {
    expect(wished('space travel')).not.toContain('travel')
    expect(wished('travel')).toContain('travel')
    expect(wished('hard work')).not.toContain('real-space-flight')
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

describe('what somebody does', () => {
  it.each([
    ['my son loves trains', 'love-story'],
    ['for my daughter, she loves horror', 'love-story'],
    ['my 8 year old who loves dragons', 'love-story'],
    ['siblings who fight monsters', 'adrenaline'],
    ['running a cafe', 'running-and-athletics'],
    ['running away from home', 'running-and-athletics'],
  ])('in %s is no %s', (query, tag) => {
    expect(meant(query)).not.toContain(tag)
  })

  it.each([
    ['a girl who loves a boy', 'love-story'],
    ['she loves him', 'love-story'],
    ['my love story', 'love-story'],
    ['siblings, monsters and a fight', 'adrenaline'],
    ['running', 'running-and-athletics'],
    ['running manga', 'running-and-athletics'],
  ])('and in %s is %s', (query, tag) => {
    expect(meant(query)).toContain(tag)
  })
})

describe('what grandparents would like', () => {
  it.each(['to watch with my grandma', 'for my grandpa', 'anime my granny would like'])(
    'is gentle: %s',
    (query) => {
      expect(meant(query)).toContain('wholesome')
      expect(meant(query)).not.toContain('elderly')
    },
  )

  it('is no grandma of a story', () => {
    expect(meant('a boy and his grandma')).not.toContain('wholesome')
    expect(meant('a boy and his grandma')).toContain('elderly')
  })
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
    'finished',
    'completed manga',
    'complete',
    'is it finished',
    'romance, completed',
    'romance that has an ending',
    'manga where a boy meets a girl, finished',
    'still running',
    'a manga that is finished',
    'ongoing',
    'not finished',
    'action with complete ending',
    'fantasy, finish already',
    'romance finished already',
    'romance, story is finished',
    'it has a proper ending',
  ])('%s', (query) => {
    expect(meant(query)).toContain('status')
  })

  it('has not where it is not finished', () => {
    expect(interpret('not finished').readings).toMatchObject([
      { kind: 'status', value: 'ongoing', excluded: false },
    ])
  })

  it.each([
    'something happy after i finished a depressing show',
    'finished bleach and want more',
    'he finished his training',
    'a boy who completed the game',
    'ive finished',
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
  it.each(['a 10 year old boy who fights vampires', '10 year old anime', 'a girl is 10 years old'])(
    'ask for nothing where nobody has the child: %s',
    (query) => {
      expect(meant(query)).not.toContain('audience')
      expect(meant(query)).not.toContain('years')
    },
  )

  it('of children ask for works for children, and nobody is old', () => {
    expect(meant('shows for my 8 year old daughter')).toEqual(['audience'])
    expect(interpret('for my 6 year old daughter').explained).toBe(1)
    expect(meant('anime for my little kids')).toEqual(['audience'])
    expect(meant('my niece is 7 years old')).toEqual(['audience'])
    expect(meant('good for 10 year olds')).toEqual(['audience'])
    expect(meant('for a 30 year old man')).not.toContain('years')
    expect(meant('for a 30 year old man')).not.toContain('audience')
    expect(meant('an old anime')).toEqual(['years'])
  })
})
