/** `data import --update`: what changes, what stays, and how many texts are encoded for it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { beforeEach, describe, expect, test } from 'vitest'
import { synoptic } from '../helpers/run-cli.js'
import { jsonlMapping, lines, useWorkshop } from './workshop.js'

const workshop = useWorkshop()

const works = Array.from({ length: 12 }, (_, at) => ({
  id: 10 * (at + 1),
  title: `Work ${at}`,
  type: 'tv',
  year: 1990 + at,
  genres: ['Drama'],
  studios: ['Studio A'],
  note: `note ${at}`,
  synopsis: `A tale of number ${at} and its lighthouse.`,
  logline: `Number ${at}.`,
}))

const whole = {
  dataset: 'anime',
  file: 'works.jsonl',
  format: 'jsonl',
  fields: {
    id: 'id',
    title: 'title',
    type: 'type',
    year: 'year',
    genres: 'genres',
    studios: 'studios',
  },
  metadata: { note: 'note' },
  texts: { synopsis: 'synopsis', logline: 'logline' },
}

/** A mapping of changes.jsonl, which has fields for these alone. */
const changesMapping = (fields: object, texts: object, more: object = {}) => ({
  dataset: 'anime',
  file: 'changes.jsonl',
  format: 'jsonl',
  metadata: {},
  fields: { id: 'id', title: 'title', ...fields },
  texts,
  ...more,
})

const update = (...mappings: string[]) =>
  importDatasets(mappings, { into: workshop.catalogue, update: true })
const byId = (id: number) => workshop.entries('anime').find((entry) => entry.id === id)
const columns = () => workshop.read((catalogue) => catalogue.dataset('anime')?.columns)

describe('an update', () => {
  beforeEach(async () => {
    workshop.write('works.jsonl', lines(...works))
    await workshop.import(workshop.write('works.json', whole))
  })

  test('replaces what its sources have fields for, by id, and keeps the rest', async () => {
    const before = workshop.entries('anime')
    workshop.write(
      'changes.jsonl',
      lines(
        { id: 30, title: 'Work 2, again', year: 2020, synopsis: 'Another tale.' },
        { id: 40, title: 'Work 3', year: null, synopsis: null },
      ),
    )
    const mapping = changesMapping({ year: 'year' }, { synopsis: 'synopsis' })
    const { datasets } = await update(workshop.write('changes.json', mapping))
    expect(datasets[0]?.updated).toEqual({ changed: 2, added: 0, same: 0, kept: 10 })
    expect(byId(30)).toEqual({
      ...before[2],
      title: 'Work 2, again',
      year: 2020,
      texts: ['Another tale.', 'Number 2.'],
    })
    expect(byId(40)).toEqual({ ...before[3], year: null, texts: [null, 'Number 3.'] })
    const others = ({ id }: { id: number }) => id !== 30 && id !== 40
    expect(workshop.entries('anime').filter(others)).toEqual(before.filter(others))
  })

  test('adds entries before, between and after those that are there, in the order of ids', async () => {
    const added = [1, 55, 999].map((id) => ({ id, title: `New ${id}`, synopsis: `New text ${id}` }))
    workshop.write('changes.jsonl', lines(...added.toReversed()))
    const { datasets } = await update(
      workshop.write('changes.json', changesMapping({}, { synopsis: 'synopsis' })),
    )
    expect(datasets[0]?.updated).toEqual({ changed: 0, added: 3, same: 0, kept: 12 })
    const ids = workshop.entries('anime').map(({ id }) => id)
    expect(ids).toEqual([
      1,
      ...works.slice(0, 5).map(({ id }) => id),
      55,
      ...works.slice(5).map(({ id }) => id),
      999,
    ])
    expect(byId(55)).toMatchObject({
      title: 'New 55',
      metadata: { note: null },
      facts: { studios: [] },
      texts: ['New text 55', null],
    })
  })

  test('by the same file changes nothing, not even the version', async () => {
    const version = () => workshop.read((catalogue) => catalogue.dataset('anime')?.version)
    const before = version()
    const { datasets } = await update(join(workshop.folder, 'works.json'))
    expect(datasets[0]?.updated).toEqual({ changed: 0, added: 0, same: 12, kept: 0 })
    expect(version()).toBe(before)
  })

  test('may bring another column, fact and metadata; every entry has them then', async () => {
    workshop.write(
      'changes.jsonl',
      lines({ id: 20, title: 'Work 1', review: 'Grand.', episodes: 12, stars: 5 }),
    )
    const mapping = changesMapping(
      { episodes: 'episodes' },
      { review: 'review' },
      { metadata: { stars: 'stars' } },
    )
    await update(workshop.write('changes.json', mapping))
    expect(columns()).toEqual(['synopsis', 'logline', 'review'])
    expect(byId(20)).toMatchObject({
      facts: { episodes: 12, studios: ['Studio A'] },
      metadata: { note: 'note 1', stars: 5 },
      texts: ['A tale of number 1 and its lighthouse.', 'Number 1.', 'Grand.'],
    })
    expect(byId(30)).toMatchObject({
      facts: { episodes: null, studios: ['Studio A'] },
      metadata: { note: 'note 2', stars: null },
      texts: ['A tale of number 2 and its lighthouse.', 'Number 2.', null],
    })
  })

  test('of one dataset leaves the other alone, and makes one that is not there', async () => {
    const before = workshop.entries('anime')
    workshop.write('shelf.jsonl', lines({ id: 7, title: 'A manga', text: 'Ink.' }))
    const mapping = workshop.write('shelf.json', jsonlMapping('shelf', { dataset: 'manga' }))
    const { datasets, retained } = await update(mapping)
    expect(datasets[0]?.updated).toBeUndefined()
    expect(retained.map(({ name }) => name)).toEqual(['anime'])
    expect(workshop.entries('anime')).toEqual(before)
    expect(workshop.entries('manga')).toHaveLength(1)
  })

  test('skips a text that repeats an earlier column', async () => {
    workshop.write('changes.jsonl', lines({ id: 10, title: 'Work 0', logline: works[0]?.synopsis }))
    await update(workshop.write('changes.json', changesMapping({}, { logline: 'logline' })))
    expect(byId(10)?.texts).toEqual([works[0]?.synopsis, null])
  })

  test('of a catalogue that cannot be read is refused, and nothing changes', async () => {
    writeFileSync(workshop.catalogue, 'no catalogue')
    await expect(update(join(workshop.folder, 'works.json'))).rejects.toThrow('no update')
    expect(readFileSync(workshop.catalogue, 'utf8')).toBe('no catalogue')
  })

  test('by a file that cannot be read is refused, and nothing changes', async () => {
    const before = readFileSync(workshop.catalogue)
    workshop.write('changes.jsonl', '{"id": 1')
    const mapping = workshop.write('changes.json', changesMapping({}, { synopsis: 'synopsis' }))
    await expect(update(mapping)).rejects.toThrow('broken JSON')
    expect(readFileSync(workshop.catalogue).equals(before)).toBe(true)
  })
})

describe('data import --update', () => {
  const run = (...words: string[]) => {
    const { code, stdout, stderr } = synoptic([...words, '--data-dir', '.'], {
      cwd: workshop.folder,
    })
    expect(code, stderr).toBe(0)
    return stdout
  }
  const matrix = (embeddings: string, column: string) =>
    readFileSync(join(workshop.folder, embeddings, 'anime', 'builtin/static-en', `${column}.npy`))

  test('encodes the changed and new texts alone, and makes the vectors of a whole build', () => {
    workshop.write('works.jsonl', lines(...works))
    workshop.write('works.json', whole)
    run('data', 'import', '--works', 'off', 'works.json')
    expect(run('embed', 'build')).toContain('anime: 24 of 24 texts encoded')
    workshop.write(
      'changes.jsonl',
      lines(
        { id: 30, title: 'Work 2', synopsis: 'Another tale.' },
        { id: 40, title: 'Work 3', synopsis: works[3]?.synopsis },
        { id: 55, title: 'New', synopsis: 'A third tale.' },
      ),
    )
    workshop.write('changes.json', changesMapping({}, { synopsis: 'synopsis' }))
    const out = run('data', 'import', '--update', '--works', 'off', 'changes.json')
    expect(out).toContain('updated: 1 changed, 1 added, 1 the same, 10 not named by the files')
    expect(out).toContain('changes.jsonl: 3 rows read, 3 entries\n')
    expect(out).toContain('anime: 2 of 25 texts encoded with builtin/static-en')

    run('embed', 'build', '--force', '--embeddings-dir', 'anew')
    for (const column of ['synopsis', 'logline']) {
      expect(matrix('embeddings', column).equals(matrix('anew', column)), column).toBe(true)
    }
    const again = run('data', 'import', '--update', '--works', 'off', 'changes.json')
    expect(again).toContain('updated: 0 changed, 0 added, 3 the same, 10 not named')
    expect(again).not.toContain('texts encoded')
  })
})
