/** Files as newcomers bring them: lists in any spelling, and values that do not fit. */
import { describeImport } from '#synoptic/cli/data-import-report.js'
import { expect, test } from 'vitest'
import { useWorkshop } from './workshop.js'

const workshop = useWorkshop()

const mapping = (changes: object = {}) => ({
  dataset: 'anime',
  file: 'mine.csv',
  format: 'csv',
  fields: { id: 'id', title: 'Name', genres: 'Genres', ...changes },
  texts: { synopsis: 'Plot' },
})

async function imported(csv: string, fields: object = {}) {
  workshop.write('mine.csv', csv)
  const summary = await workshop.import(workshop.write('mine.json', mapping(fields)))
  return { entries: workshop.entries('anime'), report: describeImport(summary, 'x') }
}

const csvOf = (genres: readonly string[]) =>
  [
    'id,Name,Genres,Plot',
    ...genres.map((list, row) => `${row},Work ${row},"${list}",A plot.`),
  ].join('\n')

test.each([
  ['commas', ['Action, Drama', 'Drama']],
  ['semicolons, with a comma inside of a member', ['Action; Drama', 'Drama;Love, Actually']],
  ['bars', ['Action|Drama', 'Drama | Comedy']],
  ['JSON', ['[""Action"", ""Drama""]', '[""Drama""]']],
  ['Python', ["['Action', 'Drama']", "['Drama']"]],
])('lists with %s are recognised', async (_, genres) => {
  const { entries, report } = await imported(csvOf(genres))
  expect(entries[0]?.genres).toEqual(['Action', 'Drama'])
  expect(entries[1]?.genres[0]).toBe('Drama')
  expect(report).toMatch(/ {4}genres: \d different values in 2 rows, most frequent: Drama \(2\), /)
})

test('the separator of a mapping is used, and null keeps a list whole', async () => {
  const rows = csvOf(['Action, Drama / Love', 'Drama'])
  const slash = await imported(rows, { genres: { from: 'Genres', separator: '/' } })
  expect(slash.entries[0]?.genres).toEqual(['Action, Drama', 'Love'])
  const whole = await imported(rows, { genres: { from: 'Genres', separator: null } })
  expect(whole.entries[0]?.genres).toEqual(['Action, Drama / Love'])
})

test('tags and lists after the first thousand rows are separated alike', async () => {
  const rows = Array.from({ length: 1200 }, (_, id) => `${id},Work ${id},"time-loop, dark",A plot.`)
  const { entries } = await imported(['id,Name,Genres,Plot', ...rows].join('\n'), {
    tags: 'Genres',
  })
  expect(entries[1150]?.genres).toEqual(['time-loop', 'dark'])
  expect(Object.keys(entries[1150]?.facts.tags ?? {}).sort()).toEqual(['dark', 'time-loop'])
})

test('values that do not fit are counted, with lines', async () => {
  const rows = [
    'id,Name,Genres,Plot,Year,Eps,Rating',
    '1,One,Action,A plot.,20O1,24 eps,8.1',
    '2,Two,Action,A plot.,2002,Unknown,85',
    '3,Three,Action,A plot.,2003,12,0',
    '4,Four,Action,A plot.,2004,?,7',
    '5,Five,Action,A plot.,2005,13,7',
  ]
  const { entries, report } = await imported(rows.join('\n'), {
    year: 'Year',
    episodes: 'Eps',
    score: 'Rating',
  })
  expect(entries[0]).toMatchObject({ year: null, score: 8.1 })
  const lines = report.split('\n')
  expect(lines).toContain(
    '    year: 1 of 5 values is not a year and counts as missing: "20O1" (line 2)',
  )
  expect(lines).toContain(
    '    episodes: 1 of 3 values is not a whole number and counts as missing: "24 eps" (line 2)',
  )
  expect(lines).toContain(
    '    score: 1 of 4 values is not a score within its scale ("outOf") and counts as missing: "85" (line 3)',
  )
  // A fifth of the years is no warning; a third of the episodes and a fourth of the scores are.
  const warnings = lines.filter((line) => line.startsWith('warning: '))
  expect(warnings).toEqual([
    'warning: mine.csv: 25 % of the values of score are not a score within its scale ("outOf"); check the mapping',
    'warning: mine.csv: 33 % of the values of episodes are not a whole number; check the mapping',
  ])
  expect(lines.slice(-3, -1)).toEqual(warnings)
})

test('three examples are shown of many', async () => {
  const rows = Array.from({ length: 9 }, (_, id) => `${id},Work ${id},,A plot.,never ${id}`)
  const { report } = await imported(['id,Name,Genres,Plot,Year', ...rows].join('\n'), {
    year: 'Year',
  })
  expect(report).toContain(
    '9 of 9 values are not a year and count as missing: "never 0" (line 2), "never 1" (line 3), "never 2" (line 4), …',
  )
})

test.each([
  ['7,9', 7.9],
  ['8,125', 8.125],
  ['10,0', 10],
  ['79,5 %', null],
  ['7,9,1', null],
])('a score of "%s" is %s', async (written, score) => {
  const csv = `id,Name,Genres,Plot,Rating\n1,Work,Drama,A plot.,"${written}"`
  const { entries, report } = await imported(csv, { score: 'Rating' })
  expect(entries[0]?.score).toBe(score)
  expect(report.includes('score: 1 of 1 value is not a score')).toBe(score === null)
})

test.each([
  ['1,234', 1234],
  ['12,5', null],
  ['1.234,0', 1234],
  ['24,0', 24],
  ['0,975', null],
])('episodes of "%s" are %s', async (written, episodes) => {
  const csv = `id,Name,Genres,Plot,Eps\n1,Work,Drama,A plot.,"${written}"`
  const { entries } = await imported(csv, { episodes: 'Eps' })
  expect(entries[0]?.facts.episodes ?? null).toBe(episodes)
})

test('a score without a rating is missing, however it is written', async () => {
  const csv = 'id,Name,Genres,Plot,Rating\n1,Work,Drama,A plot.,"0,00"'
  expect((await imported(csv, { score: 'Rating' })).report).not.toMatch(/is not a score/)
})

test('a text with a delimiter and no quotes is reported by its line, with the way out', async () => {
  const { report } = await imported(
    'id,Name,Genres,Plot\n1,Work,Drama,A plot, and more.\n2,Two,,Plot',
  )
  expect(report).toContain('    1 row skipped: 1 more fields than the header (line 2)\n')
  expect(report).toContain('A text that holds the delimiter has to be in double quotes.')
})

test('the report of one row says everything of one', async () => {
  const { report } = await imported('id,Name,Genres,Plot,Year\n1,Work,Drama,A plot.,20O1', {
    year: 'Year',
  })
  expect(report).not.toMatch(/\b1 (?:rows|texts|entries|values|new entries)\b/)
  expect(report).toContain('mine.csv: 1 row read, 1 new entry')
  expect(report).toContain(
    'year: 1 of 1 value is not a year and counts as missing: "20O1" (line 2)',
  )
})
