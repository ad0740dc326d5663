/** Where an import writes, and what it reads: links, pipes and other files that are none. */
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { fixtures, useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const shelf = join(fixtures, 'shelf.json')

describe('a catalogue that is a link', () => {
  test('is followed: the file behind it is replaced', async () => {
    const volume = join(workshop.folder, 'volume')
    mkdirSync(volume)
    const behind = join(volume, 'real.sqlite')
    await importDatasets([join(fixtures, 'drawer.json')], { into: behind })
    symlinkSync(behind, workshop.catalogue)
    const { retained } = await importDatasets([shelf], { into: workshop.catalogue })
    expect(retained.map(({ name }) => name)).toEqual(['manga'])
    expect(lstatSync(workshop.catalogue).isSymbolicLink()).toBe(true)
    const catalogue = openCatalogue(behind)
    expect(catalogue.datasets().map(({ name }) => name)).toEqual(['anime', 'manga'])
    catalogue.close()
    const names = readdirSync(volume).map((name) => name.replace(/-[0-9a-f]{16}/, ''))
    expect(names.sort()).toEqual([
      'real.sqlite',
      'real.sqlite.anime.rows',
      'real.sqlite.lock',
      'real.sqlite.manga.rows',
    ])
  })

  test('to a file that is not there is refused, and stays', async () => {
    const behind = join(workshop.folder, 'unmounted', 'real.sqlite')
    symlinkSync(behind, workshop.catalogue)
    await expect(importDatasets([shelf], { into: workshop.catalogue })).rejects.toThrow(
      `links to ${behind}, which is not there`,
    )
    expect(lstatSync(workshop.catalogue).isSymbolicLink()).toBe(true)
    expect(existsSync(behind)).toBe(false)
  })
})

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  const pipe = (name: string) => {
    const path = join(workshop.folder, name)
    expect(spawnSync('mkfifo', [path]).status).toBe(0)
    return path
  }

  test('in the place of a source is refused at once', async () => {
    pipe('a.jsonl')
    const fields = { id: 'Nr', title: 'Title' }
    const mapping = { dataset: 'anime', file: 'a.jsonl', format: 'jsonl', fields }
    const path = workshop.write('a.json', { ...mapping, texts: { synopsis: 'S' } })
    await expect(workshop.import(path)).rejects.toThrow(/a\.jsonl: expected a regular file/)
  })

  test('in the place of a mapping is refused at once', async () => {
    await expect(workshop.import(pipe('a.json'))).rejects.toThrow(
      /a\.json: expected a regular file/,
    )
  })
})
