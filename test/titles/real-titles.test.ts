/** Typos in the titles of a real catalogue from SYNOPTIC_TEST_DATA or ../shared/data; skipped aloud without. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'
import { foldTitle } from '#synoptic/data/titles/fold-title.js'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { seeded } from '../catalogue/shelf.js'
import { everyTypo } from './typos.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const data = process.env.SYNOPTIC_TEST_DATA ?? join(project, '../shared/data')
const file = join(data, 'mal_anime_3000.csv')
const isMissing = !existsSync(file)
if (isMissing) console.warn(`SKIPPED real titles: ${file} not found; set SYNOPTIC_TEST_DATA`)

/** One typo makes a short title like many others. */
const limitOf = (title: string) => (foldTitle(title).joined.length < 6 ? 400 : 30)

/** Of each title that is tried, of the hundred or so that there are. */
const typosOfTitle = 2

describe.skipIf(isMissing)('titles of a real catalogue', () => {
  const titles = isMissing ? [] : readTitles()
  const index = createTitleIndex(titles.map((text, row) => ({ row, text, kind: 'main' })))

  test('are found by themselves, exactly, also in lower case without marks', () => {
    expect(titles.length).toBeGreaterThan(2500)
    titles.forEach((text, row) => {
      const plain = text.toLowerCase().replace(/[^\p{L}\p{N}×&+]+/gu, ' ')
      for (const query of [text, plain].filter((words) => words.trim() !== '')) {
        const match = index.match(query, 30).find((found) => found.row === row)
        expect(match, `${text}: ${query}`).toMatchObject({ quality: 'exact' })
      }
      expect(index.match(text, 30)[0]?.similarity, text).toBe(1)
    })
  })

  const expectFoundWithTypos = (step: number) => {
    const random = seeded(17)
    titles.forEach((text, row) => {
      if (row % step !== 0) return
      const typos = everyTypo(text).filter((query) => query.trim().length > 1)
      for (let round = 0; round < typosOfTitle && text.length > 2; round += 1) {
        const typo = typos[Math.floor(random() * typos.length)] ?? text
        const rows = index.match(typo, limitOf(text)).map((match) => match.row)
        expect(rows, `${text}: ${typo}`).toContain(row)
      }
    })
  }

  test('are found with any one typo, every twentieth of them', () => expectFoundWithTypos(20))

  test('are found with any one typo, all of them', { tags: ['nightly'] }, () =>
    expectFoundWithTypos(1),
  )

  test('are completed from their first half', () => {
    titles.forEach((text, row) => {
      const half = text.slice(0, Math.ceil(text.length / 2))
      if (half.length < 6) return
      const rows = index.complete(half, 100).map((match) => match.row)
      expect(rows, `${text}: ${half}`).toContain(row)
    })
  })
})

function readTitles(): string[] {
  const rows = parse<{ title: string }>(readFileSync(file), { columns: true })
  return rows.map(({ title }) => title)
}
