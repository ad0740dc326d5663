/**
 * What people type, sent to a server with the included works. Expected works are lines of
 * tools/reader/corpus/found.jsonl: most have to hold, and a single one may not, so that a change of texts or of the
 * reader is judged as a whole. What every search must do is tested one by one.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { holds } from '../../tools/reader/holds.js'
import { worksServer } from './sample.js'

const server = await worksServer()

interface Line {
  readonly dataset: string
  readonly query: string
  readonly top: number
  readonly has?: readonly string[]
  readonly not?: readonly string[]
}
const lines = readFileSync('tools/reader/corpus/found.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Line)

/** The share of lines that must hold. */
const minShare = 0.7

async function search(dataset: string, members: object) {
  const response = await fetch(`${server.origin}/search/${dataset}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(members),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as {
    results: readonly { title: string; type: string; year: number }[]
    interpretation?: { readings: readonly { kind: string; label: string }[] }
  }
}
const first = async (dataset: string, query: string, count: number) =>
  (await search(dataset, { query, num_results: count, fields: ['type', 'year'] })).results

it('most queries find what they mean', async () => {
  const failed: string[] = []
  for (const line of lines) {
    const titles = (await first(line.dataset, line.query, 12)).map(({ title }) => title)
    if (!holds(line, titles))
      failed.push(`${line.dataset}: ${line.query} -> ${titles.slice(0, 3).join(' | ')}`)
  }
  const share = 1 - failed.length / lines.length
  expect(share, failed.join('\n')).toBeGreaterThan(minShare)
})

it('an ordinary word is no maker, although a maker has that name', async () => {
  const queries = ['red', 'lion', 'park', 'party', 'heart', 'moon', 'star', 'box'].flatMap(
    (word) => [`anime about a ${word}`, `girl with a ${word} and a sword`],
  )
  const makers = await Promise.all(
    queries.map(async (query) => {
      const { interpretation } = await search('anime', { query })
      return interpretation?.readings.filter(({ kind }) => kind === 'person') ?? []
    }),
  )
  expect(makers.flat()).toEqual([])
  const { interpretation } = await search('anime', { query: 'anime by compile heart' })
  expect(interpretation?.readings).toMatchObject([{ kind: 'person', label: 'Compile Heart' }])
})

describe('facts', () => {
  it('a short series is no film', async () => {
    const types = (await first('anime', 'short romance series', 10)).map(({ type }) => type)
    expect(types).not.toContain('movie')
  })

  it('years between two have ends', async () => {
    for (const { year, type } of await first('anime', 'comedy movies from 2010 to 2015', 5)) {
      expect(year >= 2010 && year <= 2015).toBe(true)
      expect(type).toBe('movie')
    }
  })
})

describe('characters', () => {
  it('are words again where the reading is taken away', async () => {
    const labels = async (ignore: readonly (readonly number[])[]) => {
      const { interpretation } = await search('anime', { query: 'goku', ignore })
      return interpretation?.readings.map(({ label }) => label) ?? []
    }
    expect(await labels([])).toContain('Goku')
    expect(await labels([[0, 4]])).not.toContain('Goku')
  })

  it('are not shown', async () => {
    const response = await fetch(`${server.origin}/searchmodel/anime`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'builtin/static-en',
        description: 'saiyan',
        results_per_page: 3,
      }),
    })
    const text = await response.text()
    expect(text).not.toContain('characters')
    expect(text).not.toContain('recommended')
  })
})
