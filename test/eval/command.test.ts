/** `synoptic eval` as it ships, on datasets whose figures a pencil gives. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { row } from '../catalogue/shelf.js'
import { fixtures, openCross } from '../encoders/cross-models.js'
import { columns, rows } from './lighthouse.js'
import { model, openWorkshop } from './workshop.js'

interface Report {
  readonly sets: readonly {
    readonly name: string
    readonly queries: number
    readonly leftOut: readonly object[]
    readonly systems: readonly (Record<'model' | 'mode' | 'reranker', string | null> &
      Record<string, { readonly value: number } | undefined>)[]
  }[]
}

const lighthouse = openWorkshop(
  { name: 'anime', columns, rows },
  { name: 'manga', columns: ['synopsis'], rows: [row(1, { texts: ['Alone.'] })] },
)

function read(path: string): Report {
  return JSON.parse(readFileSync(path, 'utf8')) as Report
}

const figuresOf = (report: Report, set = 0) =>
  report.sets[set]?.systems.map(({ mode, reranker, ...figures }) => [
    mode,
    reranker,
    figures.mrrAt10?.value,
    figures.recallAt1?.value,
    figures.recallAt10?.value,
    figures.recallAt100?.value,
  ])

describe('known items by words', () => {
  const words = ['--mode', 'lexical', '--reranker', 'none', '--query-column', 'logline']

  test('have the places that are plain to see: 1, 2, none and 1', async () => {
    const json = join(lighthouse.folder, 'words.json')
    const { code, stdout, stderr } = await lighthouse.evaluate(...words, '--json', json)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^anime, queried by logline: 4 queries\n {2}left out: 1 have a text in no/,
    )
    expect(stdout).toMatch(/^ {2}- +lexical +none +0\.625 \(\d\.\d{3} - 1\.000\) +0\.500 \(/m)
    const report = read(json)
    expect(report.sets).toHaveLength(1)
    expect(report.sets[0]).toMatchObject({ name: 'anime, queried by logline', queries: 4 })
    expect(report.sets[0]?.leftOut).toHaveLength(3)
    expect(figuresOf(report)).toEqual([['lexical', null, 0.625, 0.5, 0.75, 0.75]])
  })

  test('are the same bytes twice: table, JSON and plot', async () => {
    const files = ['one', 'two'].map((name) => join(lighthouse.folder, name))
    const runs = []
    for (const file of files) {
      const outputs = ['--json', `${file}.json`, '--plot', `${file}.svg`]
      const { stdout } = await lighthouse.evaluate(...words, ...outputs)
      runs.push([stdout, readFileSync(`${file}.json`), readFileSync(`${file}.svg`, 'utf8')])
    }
    expect(runs[0]).toEqual(runs[1])
    const svg = String(runs[0]?.[2])
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*>\n/)
    expect(svg).toContain(
      '>anime, queried by logline: MRR@10 of 4 queries, with 95 % intervals</text>',
    )
    expect(svg.match(/<circle /g)).toHaveLength(1)
    expect(svg).toContain('>0.625</text>')
  })

  test('come in the order of a cross-encoder, which does not read the column of the queries', async () => {
    const json = join(lighthouse.folder, 'reranked.json')
    const words = ['--mode', 'lexical', '--reranker', 'none', '--reranker', 'bert']
    const reranked = await lighthouse.evaluate(
      ...words,
      '--fine-tuned-dir',
      fixtures,
      '--query-column',
      'logline',
      '--json',
      json,
    )
    expect(reranked).toMatchObject({ code: 0, stderr: '' })
    // The words of the first two loglines find the first two entries, the others one or none.
    const encoder = await openCross(join(fixtures, 'bert'))
    const isFirst = async (row: number) => {
      const texts = rows.slice(0, 2).map(({ texts }) => texts[0] ?? '')
      const { scores } = await encoder.score(rows[row]?.texts[1] ?? '', texts, { batchSize: 8 })
      return (scores[row] ?? 0) > (scores[1 - row] ?? 0)
    }
    const places = [(await isFirst(0)) ? 1 : 2, (await isFirst(1)) ? 1 : 2]
    const mrr = places.reduce((sum, place) => sum + 1 / place, 1) / 4
    const [plain, ordered] = figuresOf(read(json)) ?? []
    expect(plain?.slice(0, 3)).toEqual(['lexical', null, 0.625])
    expect(ordered?.slice(0, 3)).toEqual(['lexical', 'bert', mrr])
    expect(ordered?.at(-1)).toBe(plain?.at(-1))
  })

  test('of a file of descriptions, those of no entry left out and named', async () => {
    const file = join(lighthouse.folder, 'queries.jsonl')
    const ask = (description: string, title: string) =>
      JSON.stringify({ dataset: 'anime', description, title })
    // Without a column left out, a logline's own words count.
    writeFileSync(
      file,
      [
        ask('nothing of the kind happens', 'Entry 3'),
        ask('friends in a lighthouse', 'entry 1'),
        ask('a robot', 'Entry 99'),
        ask('a robot', 'Entry 2'),
      ].join('\n'),
    )
    const json = join(lighthouse.folder, 'asked.json')
    const words = ['--descriptions', file, '--mode', 'lexical', '--reranker', 'none']
    const { code, stdout, stderr } = await lighthouse.evaluate(...words, '--json', json)
    expect(code).toBe(0)
    expect(stderr).toBe(`${file}:3: anime has no entry called Entry 99; skipped\n`)
    expect(stdout).toMatch(/^queries\.jsonl: 3 queries\n {2}left out: 1 ask for no entry/)
    expect(figuresOf(read(json))).toEqual([['lexical', null, 2 / 3, 2 / 3, 2 / 3, 2 / 3]])
  })
})

describe('known items by vectors', () => {
  // The tiny model takes the mean of its words' vectors: the order of words does not count.
  const greek = openWorkshop({
    name: 'anime',
    columns,
    rows: [
      ['alpha beta alpha beta', 'beta alpha beta alpha'],
      ['gamma delta gamma delta', 'theta eta theta eta eta'],
      ['eta theta eta theta eta', null],
    ].map((texts, i) => row(i + 1, { texts })),
  })

  test('have the places that equal texts give, in every mode', async () => {
    await greek.embed()
    const json = join(greek.folder, 'greek.json')
    const words = ['--query-column', 'logline', '--model', model, '--reranker', 'none']
    const { code, stderr } = await greek.evaluate(...words, '--json', json)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    // The first finds itself. The second has the third's words as query: it comes after the third by
    // vectors, and by words it is not found.
    const [lexical, semantic, hybrid] = figuresOf(read(json)) ?? []
    expect(lexical).toEqual(['lexical', null, 0.5, 0.5, 0.5, 0.5])
    expect(semantic?.slice(0, 2)).toEqual(['semantic', null])
    expect([(1 + 1 / 2) / 2, (1 + 1 / 3) / 2]).toContain(semantic?.[2])
    expect(semantic?.slice(3)).toEqual([0.5, 1, 1])
    expect(hybrid?.slice(2)).toEqual(semantic?.slice(2))
  })

  test('need embeddings: the command that makes them is named', async () => {
    const { code, stderr } = await greek.evaluate('--mode', 'semantic', '--reranker', 'none')
    expect(code).toBe(1)
    expect(stderr).toBe(
      'error: The anime dataset has no embeddings by the model builtin/static-en.\n' +
        'To fix it, run: synoptic embed build --dataset anime --model builtin/static-en\n',
    )
  })
})

test('a dataset of one column is queried by titles and by openings of its texts', async () => {
  const json = join(lighthouse.folder, 'one.json')
  const words = ['--dataset', 'manga', '--mode', 'lexical', '--reranker', 'none', '--json', json]
  const { code, stderr } = await lighthouse.evaluate(...words)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  // Its only text is one word, which is all opening.
  expect(read(json).sets).toMatchObject([{ name: 'manga, queried by titles', queries: 1 }])
  expect(figuresOf(read(json))).toEqual([['lexical', null, 1, 1, 1, 1]])
})

const sparse = openWorkshop({
  name: 'anime',
  columns: ['synopsis', 'in other words'],
  rows: Array.from({ length: 30 }, (_, i) =>
    row(i + 1, {
      title: `Tide ${i}`,
      texts: [
        `A keeper of lighthouse ${i}.`,
        i === 0 ? 'Somebody alone at the sea, a bottle.' : null,
      ],
    }),
  ),
})

test('a column that hardly any entry has makes no queries', async () => {
  const json = join(sparse.folder, 'sparse.json')
  const words = ['--mode', 'lexical', '--reranker', 'none', '--json', json]
  expect(await sparse.evaluate(...words)).toMatchObject({ code: 0, stderr: '' })
  expect(read(json).sets).toMatchObject([{ name: 'anime, queried by titles', queries: 30 }])
})

const alone = openWorkshop({
  name: 'manga',
  columns: ['synopsis'],
  rows: [row(1, { title: 'Tide', texts: ['A keeper of a lighthouse.'] })],
})

test('the only dataset of a catalogue need not be named, neither by a flag nor by a line', async () => {
  const descriptions = join(alone.folder, 'own.jsonl')
  writeFileSync(descriptions, JSON.stringify({ description: 'lighthouse', title: 'Tide' }))
  const words = ['--mode', 'lexical', '--reranker', 'none', '--descriptions', descriptions]
  const { code, stderr } = await alone.evaluate(...words)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

describe('refused', () => {
  test.each<[string, readonly string[], RegExp]>([
    [
      'a dataset of one column',
      ['--dataset', 'manga', '--query-column', 'synopsis'],
      /manga has one synopsis column.*at least two/,
    ],
    [
      'an unknown dataset',
      ['--dataset', 'Films'],
      /--dataset: expected anime, manga, or a name of at most 40 small letters, digits and hyphens that begins with a letter, received Films/,
    ],
    [
      'an unknown column',
      ['--query-column', 'login'],
      /--query-column: expected synopsis or logline/,
    ],
    ['an unknown model', ['--model', 'builtin/static-eng'], /the nearest are builtin\/static-en, /],
    ['an unknown mode', ['--mode', 'psychic'], /--mode: expected one of semantic, lexical, hybrid/],
    [
      'an unknown reranker',
      ['--reranker', 'maxsim'],
      /--reranker: unknown model "maxsim"; the nearest are builtin\/maxsim-en, /,
    ],
    ['an unknown flag', ['--fast'], /eval: unknown option --fast/],
    [
      'no folder to write to',
      ['--json', 'nowhere/at-all.json'],
      /--json: .* nowhere\/at-all\.json/,
    ],
    ['two ways to ask', ['--query-column', 'a', '--descriptions', 'b'], /received both/],
  ])('%s', async (_, words, problem) => {
    const { code, stderr } = await lighthouse.evaluate(...words)
    expect(code).toBe(2)
    expect(stderr).toMatch(problem)
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  test('a broken line of descriptions, by its number', async () => {
    const file = join(lighthouse.folder, 'broken.jsonl')
    writeFileSync(file, '\n{"dataset": "anime", "description": "x", "title": \n')
    const { code, stderr } = await lighthouse.evaluate('--descriptions', file)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: .*broken\.jsonl:2: expected a JSON object: .*\n$/)
  })

  test('descriptions that cannot be queries', async () => {
    const file = join(lighthouse.folder, 'strange.jsonl')
    writeFileSync(file, '{"dataset": "anime", "description": "x", "id": 77}\n')
    const { code, stdout, stderr } = await lighthouse.evaluate('--descriptions', file)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^strange\.jsonl: 0 queries\n/)
    expect(stderr).toMatch(/has no entry with the id 77; skipped/)
  })
})
