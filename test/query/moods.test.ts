/** What somebody wishes to feel, and where such words are no wish. */
import { describe, expect, it } from 'vitest'
import { createInterpreter } from '#synoptic/query/interpret.js'
import { readLexicon, readTagWords } from '#synoptic/query/lexicon.js'

const none = () => []
const options = {
  lexicon: readLexicon('data/query/en.json'),
  tags: readTagWords('data/works/tags.json'),
  names: { genres: ['Horror', 'Psychological'], studios: ['White Fox', 'Drive'], people: [] },
  titles: { exact: none, match: none, mentions: none },
}
const interpret = createInterpreter(options)
const topics = (query: string) =>
  interpret(query).readings.flatMap((reading) =>
    reading.kind === 'topic' && !reading.excluded ? reading.tags : [],
  )

describe('a mood', () => {
  it.each([
    ['smth to cry to at 3am', 'tear-jerker'],
    ['need a good cry', 'tear-jerker'],
    ['hits you in the feels', 'tear-jerker'],
    ['brainrot', 'absurd'],
    ['so bad its good', 'absurd'],
    ['for a rainy sunday', 'cozy'],
    ['feels like a hug', 'cozy'],
    ['turn my brain off', 'lighthearted'],
    ['gets your blood pumping', 'hype'],
    ['makes you hungry', 'food-and-eating'],
    ['makes me want to travel', 'travel'],
    ['post-breakup', 'lost-love'],
    ['descent into madness', 'mind-bending'],
    ['isolation and madness', 'loneliness'],
    ['rainy noir', 'atmospheric'],
    ['slow life countryside', 'everyday-life'],
    ['morally gray survival', 'moral-dilemmas'],
    ['late stage capitalism', 'dystopia'],
    ['dark academia vibes', 'gothic'],
    ['cats and an elderly person', 'elderly'],
    ['empty world', 'post-apocalypse'],
    ['ww2 told seriously', 'dark'],
    ['corruption arc', 'villain-lead'],
  ])('%s is %s', (query, tag) => {
    expect(topics(query)).toContain(tag)
  })

  it('is all of several words, none of which tells something else', () => {
    expect(topics('letting go')).not.toContain('board-games')
    expect(topics('love to hate')).not.toContain('love-story')
    expect(topics('weird as hell')).not.toContain('afterlife')
    expect(topics('funny as hell')).not.toContain('afterlife')
    expect(topics('a boy goes to hell')).toContain('afterlife')
    expect(interpret('night drive').readings.map(({ kind }) => kind)).toEqual(['topic'])
    expect(interpret('growing old').readings.map(({ kind }) => kind)).toEqual(['topic'])
  })

  it.each(['a girl is hungry', 'born in autumn', 'at 3am she leaves', 'the brain of a giant'])(
    'is not told by %s',
    (query) => {
      expect(topics(query)).toEqual([])
    },
  )
})

describe('a word that looks like one of a mood', () => {
  it.each(['bowling', 'brawling', 'lodging', 'a bunker', 'piping'])('%s is another', (query) => {
    expect(topics(query)).toEqual([])
  })
})

describe('hype fights', () => {
  it('are both, and other fights are not', () => {
    const { readings } = interpret('hype fights')
    expect(readings).toMatchObject([{ kind: 'topic', together: true }])
    expect(interpret('hype, and fights').readings).toHaveLength(2)
  })
})

describe('a studio whose name everyday words are', () => {
  it.each(['a girl meets a white fox', 'her white fox, a deer god and a girl riding a wolf'])(
    'is not named by %s',
    (query) => {
      expect(interpret(query).readings.map(({ kind }) => kind)).not.toContain('studio')
    },
  )

  it.each(['white fox', 'a white fox anime where she dies', 'time loop by white fox'])(
    'is named by %s',
    (query) => {
      expect(interpret(query).readings.map(({ kind }) => kind)).toContain('studio')
    },
  )
})

describe('somebody who tries to remember', () => {
  const excluded = (query: string) =>
    interpret(query).readings.flatMap((reading) => (reading.excluded ? [reading.label] : []))

  it('excludes nothing that they correct', () => {
    const query = 'guy who quit basketball? no archery... no swimming, rival has shark teeth'
    expect(excluded(query)).toEqual([])
    expect(topics(query)).toEqual(expect.arrayContaining(['unusual-sports', 'swimming']))
  })

  it.each([
    ['a guy who quits the club? no harem', 'harem'],
    ['isekai? no vampires', 'vampires'],
    ['a guy who quits. no vampires', 'vampires'],
    ['a guy who quits... no vampires', 'vampires'],
    ['is he old? a guy who quits... no vampires', 'vampires'],
  ])('excludes in %s %s', (query, label) => {
    expect(excluded(query)).toEqual([label])
  })

  it('tells what somebody or some place lacks', () => {
    expect(excluded('girl lives in apartment no pets')).toEqual([])
    expect(excluded('surgeon with patchwork scarred face no licence')).toEqual([])
    expect(excluded('a surgeon, no licence')).toEqual(['licence'])
    expect(excluded('surgery with a scarred face no licence')).toEqual(['licence'])
    expect(excluded('surgeon with a scarred face no horror')).toEqual(['Horror'])
  })
})
