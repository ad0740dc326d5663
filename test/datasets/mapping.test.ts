/** Mapping files are checked to the last member before any data is read. */
import { readMapping } from '#synoptic/data/datasets/mapping.js'
import { DataImportError } from '#synoptic/base/errors/index.js'
import { expect, test } from 'vitest'
import { useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const good = {
  dataset: 'anime',
  description: 'For the reader.',
  file: 'a.csv',
  format: 'csv',
  fields: { id: '', title: 'Title', year: { from: ['Year', 'Start'] } },
  metadata: { score: undefined, averageScore: { from: 'Score', as: 'number', match: '^(\\d+)' } },
  texts: { 'Synopsis a Dataset': 'Description' },
}

test('a good one is taken unchanged, with the defaults', async () => {
  const mapping = await readMapping(workshop.write('good.json', good))
  expect(mapping).toMatchObject({ dataset: 'anime', encoding: 'utf-8', fields: { titles: [] } })
  expect(mapping.join).toBeUndefined()
})

test('a byte order mark does no harm', async () => {
  const path = workshop.write('good.json', `\ufeff${JSON.stringify(good)}`)
  expect(await readMapping(path)).toMatchObject({ file: 'a.csv' })
})

test.each([
  ['an unknown dataset', { dataset: 'Novels' }, /dataset: expected anime, manga, or a name/],
  ['an unknown member', { delimiter: ';' }, /delimiter: unknown member\./],
  ['an unknown field', { fields: { title: 'T', name: 'N' } }, /fields\.name: /],
  [
    'an unknown transform',
    { fields: { title: { from: 'T', trim: true } } },
    /fields\.title\.trim: /,
  ],
  [
    'an unknown kind',
    { metadata: { x: { from: 'X', as: 'float' } } },
    /metadata\.x\.as: .*"integer"/,
  ],
  ['no title', { fields: { id: 'Id' } }, /fields\.title: required\./],
  ['no file', { file: undefined }, /file: required\./],
  ['a member that there is not', { filename: 'x' }, /filename: unknown member\./],
  [
    'another format',
    { format: 'xml' },
    /format: expected "csv" \| "jsonl" \| "json" .*"sqlite", received "xml"\./,
  ],
  ['another join', { join: 'outer' }, /join: .*"id" \| "title"/],
  [
    'a column that is no file name',
    { texts: { 'a/b': 'D' } },
    /texts\.a\/b: expected a column name/,
  ],
  ['a field that is a number', { texts: { synopsis: 3 } }, /synopsis: expected a field name or/],
  ['a field without a source', { texts: { synopsis: {} } }, /synopsis\.from: /],
  ['an empty list of fields', { fields: { title: { from: [] } } }, /fields\.title\.from/],
  ['no regular expression', { metadata: { x: { from: 'X', match: '(' } } }, /regular expression/],
  ['an unknown encoding', { encoding: 'utf-9' }, /encoding: expected an encoding/],
  [
    'a metadata name that answers use',
    { metadata: { rank: 'R' } },
    /metadata\.rank: expected a name/,
  ],
  ['a metadata name with a space', { metadata: { 'a b': 'R' } }, /expected a name of letters/],
  [
    'a constant that is a list',
    { metadata: { x: { value: [] } } },
    /metadata\.x\.value: expected a text/,
  ],
  ['a join by id without id', { join: 'id', fields: { title: 'T' } }, /join "id" needs fields\.id/],
  ['a join by title with id', { join: 'title' }, /expected no fields\.id/],
])('%s is refused by its path', async (_, changes, message) => {
  const path = workshop.write('bad.json', { ...good, ...changes })
  const error: unknown = await readMapping(path).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(DataImportError)
  expect((error as DataImportError).message).toMatch(message)
  expect((error as DataImportError).file).toBe(path)
})

test('every problem is named at once', async () => {
  const path = workshop.write('bad.json', { ...good, dataset: 'X', format: 'y', more: 1 })
  await expect(readMapping(path)).rejects.toThrow(/3 problems: dataset: .*; format: .*; more: /)
})

test.each([
  ['no JSON', '{"dataset": anime}', /not JSON/],
  ['a list', '[]', /JSON object, found a list/],
  ['null', 'null', /JSON object, found null/],
  ['empty', '', /not JSON/],
])('a file that is %s is refused', async (_, content, message) => {
  await expect(readMapping(workshop.write('bad.json', content))).rejects.toThrow(message)
})

test('a file that is not there is refused by its name', async () => {
  await expect(readMapping('missing.json')).rejects.toThrow(
    /missing\.json: the mapping cannot be read: there is no such file or folder \(ENOENT\)/,
  )
})
