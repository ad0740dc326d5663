/** The catalogue of included works can be imported unchanged: every record, its facts and each description. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { DatasetName } from '#synoptic/data/catalogue/catalogue.js'
import { expect, test } from 'vitest'
import { useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const folder = fileURLToPath(new URL('../../data/works', import.meta.url))

interface Work {
  readonly mal: number
  readonly titles: { readonly romaji: string; readonly english?: string; readonly other?: string[] }
  readonly franchise: string
  readonly tags: Readonly<Record<string, number>>
  readonly synopsis: string
  readonly descriptions: readonly string[]
}

function works(name: DatasetName): Work[] {
  const text = readFileSync(join(folder, `${name}.jsonl`), 'utf8').trim()
  const records = text.split('\n').map((line) => JSON.parse(line) as Work)
  return records.sort((one, other) => one.mal - other.mal)
}

test.each(['anime', 'manga'] as const)('every work of %s is an entry', async (name) => {
  const summary = await workshop.import(join(folder, `${name}.json`))
  const records = works(name)
  expect(records.length).toBeGreaterThan(100)
  expect(summary.datasets[0]?.sources[0]?.source.skipped.count).toBe(0)
  const entries = workshop.entries(name)
  expect(
    entries.map(({ id, title, facts: { franchise, tags } }) => ({ id, title, franchise, tags })),
  ).toEqual(
    records.map(({ mal, titles, franchise, tags }) => ({
      id: mal,
      title: titles.romaji,
      franchise,
      tags,
    })),
  )
})

test('members inside of members are read by names with dots', async () => {
  workshop.write(
    'nested.jsonl',
    '{"id":1,"names":{"main":"One","others":["Un","Uno"]},"texts":["first","second"]}\n' +
      '{"id":2,"names":{"main":"Two"},"names.main":"Plain","texts":[]}\n',
  )
  const mapping = workshop.write(
    'nested.json',
    JSON.stringify({
      dataset: 'anime',
      file: 'nested.jsonl',
      format: 'jsonl',
      fields: { id: 'id', title: 'names.main', titles: ['names.others'] },
      texts: { synopsis: 'texts.1' },
    }),
  )
  await workshop.import(mapping)
  const [one, two] = workshop.entries('anime')
  expect(one).toMatchObject({ title: 'One', facts: { otherTitles: ['Un', 'Uno'] } })
  // A member whose own name has a dot goes first.
  expect(two).toMatchObject({ title: 'Plain' })
})

test.each([
  'names.missing',
  'names.main.0.deeper',
  'names.constructor',
  'texts.length',
  'names..main',
])('the mapping is refused where no row has %s', async (title) => {
  workshop.write('nested.jsonl', '{"id":1,"names":{"main":null},"texts":["a"]}\n')
  const mapping = workshop.write(
    'nested.json',
    JSON.stringify({
      dataset: 'anime',
      file: 'nested.jsonl',
      format: 'jsonl',
      fields: { id: 'id', title },
      texts: { synopsis: 'texts.0' },
    }),
  )
  await expect(workshop.import(mapping)).rejects.toThrow(`no row has "${title}"`)
})
