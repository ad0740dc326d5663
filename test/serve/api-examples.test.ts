/** The queries that docs/api.md shows under "What is read" are read as it says. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { worksServer } from './sample.js'

interface Reading {
  readonly kind: string
  readonly excluded: boolean
}

const page = readFileSync(fileURLToPath(new URL('../../docs/api.md', import.meta.url)), 'utf8')
const [, table = ''] = /^\| kind \| you type \|.*\n.*\n((?:\|.*\n)+)/m.exec(page) ?? []
const wordsIn = (cell = '') => Array.from(cell.matchAll(/`([^`]+)`/g), ([, word = '']) => word)
const examples = table
  .trim()
  .split('\n')
  .map((row) => row.split('|').map((cell) => cell.trim()))
  .flatMap(([, kinds, queries]) => wordsIn(queries).map((query) => ({ query, kinds })))
const server = await worksServer()

it('has examples of each kind', () => {
  expect(examples.length).toBeGreaterThan(15)
})

it.each(examples)('$query', async ({ query, kinds }) => {
  const response = await fetch(`${server.origin}/search/anime`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, num_results: 1 }),
  })
  const { interpretation } = (await response.json()) as {
    interpretation?: { readings: readonly Reading[] }
  }
  const readings = interpretation?.readings ?? []
  // A row of several kinds has one example of all of them, or one of each.
  const expected = readings.filter(({ kind, excluded }) =>
    kinds === 'excluded' ? excluded : !excluded && wordsIn(kinds).includes(kind),
  )
  expect(expected).not.toEqual([])
})
