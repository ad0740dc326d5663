/** Queries in other languages: which language, and the roles of their words. How well they are found is measured by `synoptic eval`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createLanguages, type Titles } from '#synoptic/search/languages/languages.js'
import { readLanguages } from '#synoptic/search/languages/lexicons.js'
import { afterAll, describe, expect, it } from 'vitest'
import { makeReader, titles } from '../query/make-reader.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-languages-'))
afterAll(() => rmSync(folder, { recursive: true }))

const known: Titles = {
  interpret: makeReader(),
  titleRows: (text) => [...titles.keys()].filter((row) => titles[row] === text),
}
const languages = createLanguages()
const codeOf = async (query: string) => (await languages.languageOf(query, known))?.code

async function read(query: string) {
  const language = await languages.languageOf(query, known)
  const { readings } = language?.interpret(query) ?? { readings: [] }
  return readings.map(
    ({ begin, end, kind, excluded }) =>
      `${excluded ? 'not ' : ''}${kind} ${query.slice(begin, end)}`,
  )
}

describe('the language of a query', () => {
  it.each([
    ['ja', '名前を書かれた人間が死ぬノートを拾った高校生の話'],
    ['es', 'un cuaderno que mata a quien tenga su nombre escrito en él'],
    ['de', 'Mädchen, die nach der Schule eine Band gründen und Kuchen essen'],
    ['fr', 'un lycéen trouve un carnet où il suffit d’écrire un nom pour tuer'],
    ['pt', 'um menino sem nome acorda numa ilha e não lembra de nada'],
  ])('is %s of %s', async (code, query) => {
    expect(await codeOf(query)).toBe(code)
  })

  it.each([
    'a notebook that kills anyone whose name is written in it',
    'shigatsu wa kimi no uso but happier',
    'naruto no harem',
    'horror, no harem',
    'déjà vu',
    'El Cid',
    '進撃の巨人',
    'x',
    '',
    '!!! ??? ...',
    '\ud800',
  ])('is not certain, or English: %j', async (query) => {
    expect(await codeOf(query)).toBeUndefined()
  })

  it('is not certain of a title', async () => {
    const title = 'Kimi no Na wa'
    expect(await codeOf(title)).toBe('pt')
    const some = { ...known, titleRows: (text: string) => (text === title ? [0] : []) }
    expect(await languages.languageOf(title, some)).toBeUndefined()
  })

  it('is none that has no file: Italian', async () => {
    expect(await codeOf('un quaderno che uccide chiunque il cui nome vi sia scritto')).toBe(
      undefined,
    )
  })
})

describe('words of other languages', () => {
  it.each([
    [
      'películas de terror de los años 90 con mucha música',
      ['type películas', 'topic terror', 'years de los años 90', 'topic música'],
    ],
    ['quiero un anime parecido a Mushishi, sin romance', ['like Mushishi', 'not topic romance']],
    ['ich suche etwas wie Naruto, aber ohne Romantik', ['like Naruto', 'not topic Romantik']],
    ['je cherche un animé comme Mushishi, sans romance', ['like Mushishi', 'not topic romance']],
    ['procuro um anime como Clannad, mas sem terror', ['like Clannad', 'not topic terror']],
    [
      'Narutoのような90年代のアニメ、恋愛なしで探しています',
      ['like Naruto', 'years 90年代の', 'not topic 恋愛'],
    ],
  ])('are read as the English ones: %s', async (query, expected) => {
    expect(await read(query)).toEqual(expected)
  })

  it.each([
    'Ein Junge kämpft mit seiner Schwester gegen Riesen, die Menschen fressen',
    'un frère et sa petite sœur essaient de survivre, la gente les évite',
    '女の子たちが山でキャンプをするだけの話',
  ])('that are in no file are not taken for English ones: %s', async (query) => {
    const language = await languages.languageOf(query, known)
    expect(language).toBeDefined()
    const { readings, text, unknownNames } = language?.interpret(query) ?? { readings: [] }
    expect(readings.filter(({ kind }) => kind !== 'topic')).toEqual([])
    expect(text).toBeTruthy()
    expect(unknownNames).toBeUndefined()
  })

  it('stay text where a part is not to be read', async () => {
    const query = 'quiero un anime parecido a Mushishi, sin romance'
    const language = await languages.languageOf(query, known)
    const begin = query.indexOf('sin romance')
    const ignored = { begin, end: query.length }
    const { readings, text } = language?.interpret(query, [ignored]) ?? { readings: [] }
    expect(readings.map(({ kind }) => kind)).toEqual(['like'])
    expect(text).toContain('romance')
  })

  it('have spans inside the query, in its order', async () => {
    for (const line of readFileSync('bench/data/languages.jsonl', 'utf8').trim().split('\n')) {
      const { query } = JSON.parse(line) as { query: string }
      const language = await languages.languageOf(query, known)
      let begun = 0
      for (const { begin, end } of language?.interpret(query).readings ?? []) {
        expect(begin).toBeGreaterThanOrEqual(begun)
        expect(end).toBeGreaterThan(begin)
        expect(end).toBeLessThanOrEqual(query.length)
        begun = begin
      }
    }
  })
})

describe('the files of languages', () => {
  it('have the same English words, but for those that a language writes together', () => {
    const [first, ...others] = readLanguages().filter(({ hasSpaces }) => hasSpaces)
    expect(others).toHaveLength(3)
    const english = Object.keys(first?.words ?? {}).sort()
    for (const { words } of others) expect(Object.keys(words).sort()).toEqual(english)
  })

  it.each([
    ['another member', { phrases: {} }],
    ['an empty phrase', { words: { movie: [''] } }],
    ['a code of three letters', { code: 'spa' }],
  ])('are refused with %s', (_, members) => {
    const file = { code: 'es', name: 'Spanish', hasSpaces: true, words: {}, cues: {} }
    writeFileSync(join(folder, 'es.json'), JSON.stringify({ ...file, ...members }))
    expect(() => readLanguages(pathToFileURL(`${folder}/`))).toThrow(/Invalid|Expected|expected/)
  })
})
