/** The checks of the catalogue in data/works, of a writer's file, and what compiles one into the other. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as good from './good-works.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-works-'))
  cpSync(join(root, 'data/works/tags.json'), join(folder, 'tags.json'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function put(name: string, text: string): string {
  mkdirSync(join(folder, name, '..'), { recursive: true })
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const lines = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

function run(tool: 'check' | 'compile' | 'recommended' | 'titles', ...args: string[]) {
  const script = join(root, 'tools/works', `${tool}.js`)
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

/** What the tool calls: most tests need no process of their own for it. */
const { faultsOfCatalogue } = (await import(
  new URL('../../tools/works/check/catalogue.js', import.meta.url).href
)) as { faultsOfCatalogue: (folder: string) => { faults: readonly string[] } }
const { faultsOfDraft, parseBatch } = (await import(
  new URL('../../tools/works/check/draft.js', import.meta.url).href
)) as {
  faultsOfDraft: (draft: string, batch: unknown, vocabulary: unknown) => readonly string[]
  parseBatch: (text: string) => unknown
}
const { readVocabulary } = (await import(
  new URL('../../tools/works/check/vocabulary.js', import.meta.url).href
)) as { readVocabulary: (file: string) => unknown }

const tell = (faults: readonly string[]) =>
  faults.length === 0
    ? { status: 0, said: 'no faults' }
    : { status: 1, said: [...faults, `${faults.length} faults`].join('\n') }

const noTexts = () => ['--works', folder, '--texts', join(folder, 'nothing')]

function checkAnime(...records: object[]) {
  put('anime.jsonl', lines(records))
  return tell(faultsOfCatalogue(folder).faults)
}

const checkDraft = (draft: string) =>
  tell(faultsOfDraft(draft, parseBatch(good.batch), readVocabulary(join(folder, 'tags.json'))))

function runOnDraft(draft: string) {
  const files = ['--draft', put('draft.txt', draft), '--batch', put('batch.txt', good.batch)]
  return run('check', '--works', folder, ...files)
}

test('the catalogue that ships has no faults', () => {
  expect(run('check')).toMatchObject({ status: 0 })
})

describe('a catalogue', () => {
  test('of good works passes, and what is skipped is said', () => {
    put('anime.jsonl', lines([good.lamp, good.ferry]))
    const { status, said } = run('check', ...noTexts())
    expect(said).toContain('2 works\nno faults')
    expect(said).toContain('skipped: overlap with source texts')
    expect(status).toBe(0)
  })

  test('passes with one description where the text was all that was known', () => {
    const record = { ...good.lamp, basis: 'text', descriptions: [good.lamp.descriptions[0]] }
    expect(checkAnime(record)).toMatchObject({ status: 0 })
  })

  test('passes where an anime and its manga share a franchise', () => {
    const record = { ...good.ferry, franchise: good.lamp.franchise, type: 'manga', rank: 1 }
    put('manga.jsonl', lines([record]))
    expect(checkAnime(good.lamp)).toMatchObject({ status: 0 })
  })

  test('passes where another of its franchises is recommended, and is reported where it is not an anime', () => {
    const recommending = { ...good.lamp, recommended: ['ferry'] }
    expect(checkAnime(recommending, good.ferry)).toMatchObject({ status: 0 })
    put('manga.jsonl', lines([{ ...good.ferry, type: 'manga', rank: 1 }]))
    expect(checkAnime(recommending).said).toContain('recommended: ferry: no anime has this key')
  })

  test('passes without a main where the reason is given', () => {
    put('franchises.json', JSON.stringify({ 'paper-lamp': 'the first season is no work of ours' }))
    expect(checkAnime({ ...good.lamp, place: 'sequel' })).toMatchObject({ status: 0 })
  })

  const { synopsis } = good.lamp
  test.each<[string, object, string]>([
    ['no synopsis', { synopsis: undefined }, "must have required property 'synopsis'"],
    ['a member of no meaning', { colour: 'red' }, '"additionalProperty":"colour"'],
    ['an unknown place', { place: 'ending' }, '/place must be equal to one of'],
    ['a key with capitals', { franchise: 'Paper-Lamp' }, '/franchise must match pattern'],
    ['two descriptions from memory', { descriptions: good.two }, 'fewer than 3 items'],
    ['a weight of 4', { tags: { ...good.lamp.tags, funny: 4 } }, '/tags/funny must be equal'],
    ['too few tags', { tags: { funny: 3, cozy: 2 } }, 'fewer than 8 properties'],
    ['a tag of no vocabulary', { tags: { ...good.lamp.tags, sushi: 2 } }, 'no tag sushi'],
    ['six heavy tags', { tags: good.heavy }, '6 tags of weight 3; at most 5'],
    ['no tag of tone', { tags: good.toneless }, 'no tag of tone'],
    ['a short synopsis', { synopsis: 'A boy sells lamps.' }, '4 words; 40 to 70'],
    ['a long synopsis', { synopsis: `${synopsis} ${synopsis}` }, 'words; 40 to 70'],
    ['typographic marks', { synopsis: synopsis.replace('.', '\u2026') }, 'is not ASCII'],
    ['another language', { synopsis: good.german }, 'hardly English'],
    [
      'the title',
      good.first('some boy with a paper lamp walks over the ice at night'),
      'the title',
    ],
    [
      'a rare title word',
      good.first('the chouchin hangs over a bridge and it never goes out'),
      '"chouchin"',
    ],
    [
      'a name',
      good.first('in the end Kaoru walks over the ice and the light goes out'),
      '"Kaoru" looks like',
    ],
    ['a short description', good.first('a boy on the ice'), '5 words; 8 to 35'],
    ['no main', { place: 'film' }, 'franchise paper-lamp: no work is its main'],
    ['its own franchise', { recommended: ['paper-lamp'] }, 'paper-lamp: is its own franchise'],
    ['a franchise of nobody', { recommended: ['ferry'] }, 'ferry: no anime has this key'],
  ])('reports %s', (_, change, fault) => {
    const { status, said } = checkAnime({ ...good.lamp, ...change })
    expect(said).toContain(fault)
    expect(status).toBe(1)
  })

  test.each<[string, object, string]>([
    ['an id twice', { mal: good.lamp.mal }, 'mal 1 is also that of anime 1'],
    ['a rank twice', { rank: 1 }, 'rank 1 is also that of anime 1'],
    ['two mains', { franchise: 'paper-lamp' }, 'franchise paper-lamp: 2 mains in anime: 1, 2'],
    ['a copied description', { descriptions: good.copied }, 'nearly the same as anime 1'],
  ])('reports %s', (_, change, fault) => {
    const { status, said } = checkAnime(good.lamp, { ...good.ferry, ...change })
    expect(said).toContain(fault)
    expect(status).toBe(1)
  })

  test('reports works out of order', () => {
    expect(checkAnime(good.ferry, good.lamp).said).toContain('rank 1 comes after 2')
  })

  test('reports a line that is not JSON', () => {
    put('anime.jsonl', '{"mal": 1,\n')
    const { status, said } = run('check', ...noTexts())
    expect(said).toMatch(/\n1 faults$/m)
    expect(status).toBe(1)
  })

  test('reports a reason that nothing needs', () => {
    put('franchises.json', JSON.stringify({ 'paper-lamp': 'lost', other: 'lost' }))
    const { said } = checkAnime(good.lamp)
    expect(said).toContain('paper-lamp: has a main, needs no reason')
    expect(said).toContain('other: no work has this key')
  })

  test('reports openings and phrases that too many share', () => {
    const records = good.many('the old boat that', 'came back at night')
    const { said } = checkAnime(...records)
    expect(said).toContain('6 descriptions begin with "the old boat"')
    expect(said).toContain('6 descriptions say "came back at night"')
    expect(checkAnime(...records.slice(0, 5))).toMatchObject({ status: 0 })
  })

  test('reports five words in a row of a text about the work, however written', () => {
    const text =
      'Long ago, the Lamp\u2019s LIGHT never-goes out on the river, and old Tanabe cries.'
    put('texts/mal_anime_3000.csv', `item_id,title,description\n1,x,"${text}"\n`)
    const check = (description: string) => {
      put('anime.jsonl', lines([{ ...good.lamp, ...good.first(description) }]))
      return run('check', '--works', folder, '--texts', join(folder, 'texts'))
    }
    const copied = 'i think the lamps light never goes out until his sister leaves'
    expect(check(copied).said).toContain(
      '"the lamps light never goes" is copied from a source text',
    )
    expect(check('a tanabe something walks over ice with a light').said).toContain(
      'the name "tanabe"',
    )
    expect(check('his light is never out and the river is all ice')).toMatchObject({ status: 0 })
  })
})

describe('the vocabulary', () => {
  interface Tag {
    tag: string
    family: string
    meaning: string
    synonyms: string[]
  }
  const change = (edit: (tags: Tag[]) => void) => {
    const tags = JSON.parse(readFileSync(join(root, 'data/works/tags.json'), 'utf8')) as Tag[]
    edit(tags)
    put('tags.json', JSON.stringify(tags))
    return tell(faultsOfCatalogue(folder).faults).said
  }
  const first = (edit: (tag: Tag) => void) => (tags: Tag[]) => {
    if (tags[0]) edit(tags[0])
  }

  test.each<[string, (tags: Tag[]) => void, string]>([
    ['one synonym', first((tag) => (tag.synonyms = ['lonely word'])), '1 synonyms; 2 to 10'],
    ['no sentence', first((tag) => (tag.meaning = 'fun')), 'the meaning is no sentence'],
    ['a strange family', first((tag) => (tag.family = 'season')), 'no family season'],
    ['a slug with capitals', first((tag) => (tag.tag = 'Time_Loop')), 'not in kebab-case'],
    ['disorder', (tags) => tags.reverse(), 'out of order'],
    ['a claimed synonym', first((tag) => tag.synonyms.push('groundhog day')), 'also a name of'],
  ])('reports %s', (_, edit, fault) => {
    expect(change(edit)).toContain(fault)
  })
})

describe('a file of drafts', () => {
  test('passes', () => {
    expect(runOnDraft(good.draft)).toMatchObject({ status: 0 })
  })

  test.each<[string, string, string, string]>([
    ['a work left out', good.draftOfFerry, '# 2\nX: a recap', 'no faults'],
    ['a work left out without a reason', good.draftOfFerry, '# 2\nX:', '2 X: no reason'],
    ['a missing work', good.draftOfFerry, '', '2: missing'],
    ['a strange work', '# 2\n', '# 3\n', '3: not in this batch'],
    ['a misspelt tag', 'melancholic 2', 'melancolic 2', 'nearest: melancholic'],
    ['a synonym for a tag', 'melancholic 2', 'groundhog-day 2', 'nearest: time-loop'],
    ['a weight of 5', 'melancholic 2', 'melancholic 5', 'is no tag with a weight'],
    ['a tag twice', 'melancholic 2', 'river 2, melancholic 2, melancholic 1', 'occurs twice'],
    ['an unknown basis', 'B: memory', 'B: guess', 'B: expected memory, mixed, text'],
    ['a line of no field', 'B: memory', 'Z: memory', 'not understood: Z: memory'],
    ['two synopses', 'B: memory', 'B: memory\nS: again', '1 S: given twice'],
    ['no mood', /^M: .*\n/m.exec(good.draft)?.[0] ?? '', '', '2 descriptions; 3 are wanted'],
    [
      'copied words',
      'under the ice',
      'fire over the frozen river',
      'is copied from the source text',
    ],
    ['a typographic quote', "his sister's", 'his sister\u2019s', 'is not ASCII'],
    ['the native title', 'under the ice', 'under the \u7d19\u306e\u63d0\u706f', 'the title'],
    ['a nickname', 'under the ice', 'under kachou', 'kachou'],
    ['a name of the source', 'under the ice', 'under tanabe', 'the name "tanabe"'],
  ])('reports %s', (_, found, put, fault) => {
    expect(good.draft).toContain(found)
    const { status, said } = checkDraft(good.draft.replace(found, put))
    expect(said).toContain(fault)
    expect(status).toBe(fault === 'no faults' ? 0 : 1)
  })

  test('reports a third text with one opening', () => {
    const draft = good.draft.replaceAll(/^([ARM]): /gm, '$1: and so it ')
    expect(runOnDraft(draft).said).toContain('a third or later text begins "and so it"')
  })
})

describe('compiling', () => {
  const compile = () => {
    const folders = ['facts', 'done'].flatMap((name) => [`--${name}`, join(folder, name)])
    return run('compile', ...folders, '--out', folder).said
  }
  const records = (file: string) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as object)

  beforeEach(() => {
    put('facts/anime.jsonl', lines(good.facts))
    put('facts/manga.jsonl', lines([{ ...good.facts[1], type: 'manhwa' }]))
    put('done/anime-001.txt', good.draft)
  })

  test('joins facts and drafts, sorted by rank, and the result passes', () => {
    expect(compile()).toContain('anime: 2 works, 0 left out, 0 not written')
    expect(records('anime.jsonl')).toEqual([
      { ...good.lamp, titles: { ...good.lamp.titles, other: ['Kachou', 'KC'] } },
      good.ferry,
    ])
    expect(Object.keys(records('anime.jsonl')[0] ?? {}).slice(0, 3)).toEqual([
      'mal',
      'rank',
      'titles',
    ])
    expect(run('check', ...noTexts())).toMatchObject({ status: 0 })
  })

  test('takes what is written, and puts manhwa to the manga', () => {
    put('done/manhwa-001.txt', good.draft.replace(good.draftOfFerry, ''))
    put('done/anime-001.txt', good.draft.replace(good.draftOfFerry, '# 2\nX: a recap'))
    const said = compile()
    expect(said).toContain('anime: 1 works, 1 left out, 0 not written')
    expect(said).toContain('manga: 1 works, 0 left out, 0 not written')
    expect(records('manga.jsonl')).toMatchObject([{ mal: 1, type: 'manhwa' }])
    expect(records('manga.jsonl')[0]).not.toHaveProperty('themes')
  })

  test('reports what is half written or known to nobody', () => {
    put('done/anime-001.txt', good.draft.replace('# 2\n', '# 3\n').replace(/^S: .*\n/m, ''))
    const said = compile()
    expect(said).toContain('anime-001.txt: 1: not finished')
    expect(said).toContain('anime 3: written, but there are no facts')
    expect(said).toContain('anime: 0 works, 0 left out, 2 not written')
  })
})

describe('lists of what is recommended', () => {
  const boat = { ...good.ferry, mal: 3, rank: 3, franchise: 'boat-86', titles: { romaji: '86' } }
  const read = (text: string, ...more: string[]) => {
    put('anime.jsonl', lines([good.lamp, good.ferry, boat]))
    const where = ['--dataset', 'anime', '--works', folder, ...more]
    return run('recommended', ...where, '--lists', put('lists.txt', text))
  }
  const written = () =>
    readFileSync(join(folder, 'anime.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { recommended?: string[] }).recommended)

  test('are put into the works, by title in any spelling, digits or key', () => {
    const { status, said } = read('paper-lamp: WATASHIBUNE | 86\nferry: paper-lamp\n', '--write')
    expect(said).toContain('2 lists with 3 names, 0 faults')
    expect(status).toBe(0)
    expect(written()).toEqual([['ferry', 'boat-86'], ['paper-lamp'], undefined])
  })

  test.each([
    ['a name that no work has', 'paper-lamp: Watashibun', 'unknown "Watashibun", nearest ferry'],
    ['its own franchise', 'paper-lamp: Paper Lamp', '"Paper Lamp" is its own franchise'],
    ['a key that no work has', 'lamp: 86', 'lamp: no anime has this key'],
  ])('report %s, and nothing is written without --write', (_, text, fault) => {
    const { status, said } = read(text)
    expect(said).toContain(fault)
    expect(status).toBe(1)
    expect(written()).toEqual([undefined, undefined, undefined])
  })

  test('need a dataset', () => {
    expect(run('recommended', '--lists', put('lists.txt', ''))).toMatchObject({ status: 1 })
  })
})

describe('titles from knowledge', () => {
  const add = (entry: object, ...more: string[]) => {
    put('anime.jsonl', lines([good.lamp, good.ferry]))
    const where = ['--dataset', 'anime', '--works', folder, ...more]
    return run('titles', ...where, '--titles', put('titles.jsonl', lines([entry])))
  }
  const written = () =>
    JSON.parse(readFileSync(join(folder, 'anime.jsonl'), 'utf8').split('\n')[0] ?? '') as {
      titles: { romaji: string; other?: readonly string[] }
      status?: string
    }
  const { mal } = good.lamp

  test('are added to those that are known, with the status', () => {
    const entry = { mal, other: ['KnC', 'Kami no Chochin Lamp'], status: 'releasing' }
    expect(add(entry, '--write')).toMatchObject({ status: 0 })
    expect(written().titles.other).toEqual(expect.arrayContaining(entry.other))
    expect(written().titles.romaji).toBe(good.lamp.titles.romaji)
    expect(written().status).toBe('ongoing')
  })

  test.each([
    [
      'a title of another work',
      { mal, other: [good.ferry.titles.romaji] },
      `" is ${good.ferry.titles.romaji}`,
    ],
    ['a work that nobody knows', { mal: 999, other: ['X'] }, '999: no anime has this id'],
    ['another status', { mal, status: 'paused' }, 'unknown status paused'],
    ['another member', { mal, nick: 'x' }, 'unknown member nick'],
  ])('report %s, which is not written', (_, entry, fault) => {
    const { status, said } = add(entry, '--write')
    expect(said).toContain(fault)
    expect(status).toBe(1)
    expect(written().titles).toEqual(good.lamp.titles)
  })
})
