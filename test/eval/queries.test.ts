/** `synoptic eval --queries` and `synoptic ranker fit` on the sample. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { synopticHere } from '../helpers/run-here.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-queries-'))
afterAll(() => rmSync(folder, { recursive: true }))

const synoptic = (...words: readonly string[]) =>
  synopticHere([...words, '--data-dir', folder, '--embeddings-dir', join(folder, 'embeddings')])

function write(name: string, lines: readonly unknown[]): string {
  const file = join(folder, name)
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

const works = readFileSync('data/sample/anime.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { readonly title: string; readonly logline: string })
const titles = works.map(({ title }) => title)
const [first = ''] = titles

beforeAll(async () => {
  const imported = await synoptic('data', 'import', 'data/sample/anime.json', '--works', 'off')
  expect(imported).toMatchObject({ code: 0 })
  expect(await synoptic('embed', 'build')).toMatchObject({ code: 0 })
})

describe('a file of queries', () => {
  test('has a row a kind, with the measure of the kind and what /search gains', async () => {
    const json = join(folder, 'kinds.json')
    const file = write('kinds.jsonl', [
      { kind: 'title', query: first, titles: [first] },
      { kind: 'scene', query: works[1]?.logline, title: titles[1] },
      { kind: 'theme', query: 'school', titles: titles.slice(0, 40) },
      { kind: 'not', query: 'comedy without school', titles: titles.slice(2, 9), breaks: [1] },
    ])
    const { code, stdout, stderr } = await synoptic('eval', '--queries', file, '--json', json)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^ {2}kind +queries +measure +\/search +texts alone +bm25\n/)
    expect(stdout).toMatch(/^ {2}title \(anime\) +1 +first +1\.000 \(1\.000 - 1\.000\)/m)
    expect(stdout).toMatch(/^ {2}scene \(anime\) +1 +MRR@10 +1\.000/m)
    expect(stdout).toMatch(/^ {2}theme \(anime\) +1 +P@5 /m)
    expect(stdout).toMatch(/^ {2}not \(anime\) +1 +broken@5 /m)
    const { kinds } = JSON.parse(readFileSync(json, 'utf8')) as { kinds: { kind: string }[] }
    expect(kinds.map(({ kind }) => kind)).toContain('theme (anime)')
  })

  test('may be what the page keeps, and lines of no answer are reported and skipped', async () => {
    const file = write('feedback.jsonl', [
      {
        dataset: 'anime',
        description: works[0]?.logline,
        title: first,
        rank: 1,
        day: '2026-11-25',
      },
      { dataset: 'anime', description: 'a ghost', id: 987_654_321, rank: 3, day: '2026-11-25' },
    ])
    const { code, stdout, stderr } = await synoptic('eval', '--queries', file)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}description \(anime\) +1 +MRR@10 +1\.000/m)
    expect(stderr).toMatch(/feedback\.jsonl:2: anime has no answer of "a ghost"; skipped/)
  })

  test('leaves the column out that a query was taken from', async () => {
    const query = works[3]?.logline
    const line = { kind: 'scene', query, title: titles[3] }
    const file = write('column.jsonl', [{ ...line, column: 'logline' }])
    const { code, stdout } = await synoptic('eval', '--queries', file)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ {2}scene \(anime\) +1 +MRR@10 /m)
  })

  test.each([
    ['without a query', { titles: ['A'] }, /:1: expected a query/],
    ['without an answer', { query: 'a ghost' }, /expected ids or titles/],
    ['of an unknown column', { query: 'a', titles: [first], column: 'plot' }, /column: expected/],
    ['of an unknown dataset', { query: 'a', titles: ['A'], dataset: 'Films' }, /dataset/],
  ])('is refused with a line %s', async (_, line, problem) => {
    const { code, stderr } = await synoptic('eval', '--queries', write('bad.jsonl', [line]))
    expect(code).not.toBe(0)
    expect(stderr).toMatch(problem)
  })

  test.each(['--mode lexical', '--reranker none', '--descriptions x.jsonl', '--plot x.svg'])(
    'is refused with %s',
    async (flag) => {
      const { code, stderr } = await synoptic('eval', '--queries', 'x.jsonl', ...flag.split(' '))
      expect(code).not.toBe(0)
      expect(stderr).toContain(`${flag.split(' ')[0]}: has no meaning with --queries`)
    },
  )
})

describe('ranker fit', () => {
  test('shows both halves, and writes weights that a search takes', async () => {
    const lines = works.flatMap(({ title, logline }) => [
      { kind: 'title', query: title.toLowerCase(), titles: [title] },
      { kind: 'description', query: logline, titles: [title] },
    ])
    const file = write('fit.jsonl', lines)
    const output = join(folder, 'weights.json')
    const none = { title: 0.01, fulfilled: 0.01, fulfilledBeside: 1, similar: 1, broken: -1 }
    const rest = { popularity: 0.3, notMain: -1, minTextShare: 0.1 }
    const start = join(folder, 'start.json')
    writeFileSync(start, JSON.stringify({ ...none, ...rest }))
    const fitted = await synoptic(
      'ranker',
      'fit',
      '--queries',
      file,
      '--output',
      output,
      '--ranker-weights',
      start,
    )
    expect(fitted).toMatchObject({ code: 0 })
    expect(fitted.stdout).toMatch(/^ {2}weight +before +after\n/)
    expect(fitted.stdout).toMatch(/^ {2}mean of the kinds +\d+ /m)
    const isWritten = existsSync(output)
    expect(fitted.stdout).toMatch(isWritten ? /^Written to /m : /nothing is written/)
    const weights = isWritten ? output : start
    const weighed = await synoptic('eval', '--queries', file, '--ranker-weights', weights)
    expect(weighed).toMatchObject({ code: 0 })
  })

  test('refuses fewer than 300 queries', async () => {
    const file = write('few.jsonl', [{ kind: 'title', query: first, titles: [first] }])
    const { code, stderr } = await synoptic('ranker', 'fit', '--queries', file)
    expect(code).not.toBe(0)
    expect(stderr).toContain('expected at least 300 queries, received 1')
  })

  test('refuses no file, and weights that it did not write', async () => {
    const nothing = await synoptic('ranker', 'fit')
    expect(nothing.stderr).toContain('--queries: required')
    const file = write('some.jsonl', [{ kind: 'title', query: first, titles: [first] }])
    const weights = write('odd.json', [{ title: 1 }])
    const odd = await synoptic('eval', '--queries', file, '--ranker-weights', weights)
    expect(odd.code).not.toBe(0)
    expect(odd.stderr).toContain(
      '--ranker-weights: expected a file that `synoptic ranker fit` wrote',
    )
  })
})
