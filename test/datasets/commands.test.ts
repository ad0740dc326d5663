/** The commands as somebody runs them: what is printed, where, and the exit status. */
import { copyFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dataImport } from '#synoptic/cli/data-import.js'
import { dataMerge } from '#synoptic/cli/data-merge.js'
import { dataList } from '#synoptic/cli/data-list.js'
import type { Command } from '#synoptic/cli/command.js'
import { importSettings } from '#synoptic/base/config/settings.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { SettingsError } from '#synoptic/base/errors/index.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fixtures, jsonlMapping, useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const shelf = join(fixtures, 'shelf.json')
const drawer = join(fixtures, 'drawer.json')
const project = fileURLToPath(new URL('../..', import.meta.url))
afterEach(() => vi.restoreAllMocks())

async function run(command: Command, ...argv: string[]) {
  const printed = { out: '', err: '' }
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.out += String(text)
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.err += String(text)
    return true
  })
  const { folder } = workshop
  const { settings, rest } = readSettings(importSettings, ['--data-dir', folder, ...argv], {})
  try {
    return { status: await command.run(rest, settings), ...printed }
  } finally {
    vi.restoreAllMocks()
  }
}

describe('data import', () => {
  test('reports what became of every row', async () => {
    const { status, out, err } = await run(dataImport, shelf, drawer)
    const notFound: unknown = expect.stringMatching(
      /^ {2}included works: 0 of \d{4} joined your entries \(0 by id, 0 by title\)$/,
    )
    expect(err).toMatch(/WARNING: the import is done.*shelf\.csv.*: 7 of 11 rows gave no entry/s)
    expect(status).toBe(2)
    expect(out.replace(/[0-9a-f]{12}\b/g, 'VERSION').split('\n')).toEqual([
      'anime: 4 entries, version VERSION',
      '  Synopsis shelf Dataset: 2 texts',
      '  shelf.csv: 11 rows read, 4 new entries',
      '    7 rows skipped: 3 no usable id (lines 9, 10, 11); 1 no title (line 12); ' +
        '1 repeated id (line 13); 1 fewer fields than the header (line 14); 1 more fields than the header (line 15)',
      '    A text that holds the delimiter has to be in double quotes.',
      '    genres: 6 different values in 3 rows, most frequent: Drama (1), Slice of Life (1), Fantasy (1)',
      notFound,
      'manga: 3 entries, version VERSION',
      '  synopsis: 2 texts',
      '  drawer.jsonl: 9 rows read, 3 new entries',
      '    6 rows skipped: 1 repeated id (line 3); 2 broken JSON (lines 4, 5); ' +
        '2 no usable id (lines 6, 7); 1 no title (line 9)',
      '    genres: 3 different values in 2 rows, most frequent: Mystery (1), Action (1), Drama (1)',
      '    authors: 1 value in 1 row, most frequent: A. Writer (1)',
      notFound,
      expect.stringMatching(/^Written to .*catalogue\.sqlite in \d+\.\d s$/),
      '',
    ])
  })

  test('names types that it does not know, with counts', async () => {
    const rows = ['id,title,type,text', '1,One,Hörspiel,A story.', '2,Two,Serie TV,A story.']
    workshop.write('types.csv', [...rows, '3,Three,Hörspiel,A story.', ''].join('\n'))
    const mapping = {
      dataset: 'anime',
      file: 'types.csv',
      format: 'csv',
      texts: { synopsis: 'text' },
      fields: { id: 'id', title: 'title', type: 'type' },
    }
    const { out } = await run(dataImport, workshop.write('types.json', mapping))
    expect(out).toContain('    type: unknown to Synoptic: hörspiel (2); "values" in a mapping')
  })

  test('counts what --leave-out leaves out', async () => {
    workshop.write('a.csv', 'id,title,type,text\n1,One,Music,A song.\n2,Two,TV,A story.\n')
    const mapping = jsonlMapping('a', {
      file: 'a.csv',
      format: 'csv',
      fields: { id: 'id', title: 'title', type: 'type' },
    })
    const path = workshop.write('a.json', mapping)
    const { out } = await run(dataImport, '--leave-out=music,kids', '--works=off', path)
    expect(out).toMatch(/^anime: 1 entry.*\n(.*\n)* {2}excluded as kids: 0 entries\n/)
    expect(out).toMatch(/^ {2}excluded as music: 1 entry$/m)
    await expect(run(dataImport, '--leave-out=songs', path)).rejects.toThrow(
      /--leave-out: expected none, or a list of adult, kids, music, received "songs"/,
    )
  })

  test('names the datasets that it kept', async () => {
    await run(dataImport, '--works=off', shelf, drawer)
    const { out } = await run(dataImport, '--works=off', shelf)
    expect(out).toMatch(/^manga: 3 entries, unchanged$/m)
  })

  test('fails with status 1 and one message, and nothing is changed', async () => {
    await run(dataImport, '--works=off', shelf)
    const { status, out, err } = await run(dataImport, '--from', workshop.folder, drawer)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(
      /^error: .*drawer\.jsonl: cannot be read: there is no such file or folder \(ENOENT\)\nThe catalogue is unchanged\.\n$/,
    )
    expect((await run(dataList)).out).toMatch(/^anime: 4 entries/)
  })

  test.each([
    [[], /name at least one file/],
    [['--form', '/data', shelf], /--form/],
    [[shelf, '--from'], /--from/],
  ])('refuses the words %j', async (argv, message) => {
    const refused = run(dataImport, ...argv)
    await expect(refused).rejects.toThrow(SettingsError)
    await expect(run(dataImport, ...argv)).rejects.toThrow(message)
  })
})

describe('data merge', () => {
  const sources = join(fixtures, 'sources')

  test('merges all thirteen files of a folder as an import of their mappings does', async () => {
    const { status, out, err } = await run(dataMerge, '--from', sources, '--leave-out=music')
    expect([status, err]).toEqual([0, ''])
    expect(out).not.toContain('not in')
    const read = out
      .split('\n')
      .flatMap((line) => /^ {2}(\S+): \d+ rows? read/.exec(line)?.[1] ?? [])
    expect(read).toHaveLength(13)
    expect([read[0], read[10]]).toEqual(['anime.csv', 'manga.csv'])
    expect(out).toMatch(/^ {2}excluded as music: 2 entries$/m)
    const versions = () =>
      workshop.read((catalogue) => catalogue.datasets().map(({ version }) => version))
    const merged = versions()
    const mappings = ['anime', 'manga'].flatMap((dataset) => {
      const folder = join(project, 'data/sources', dataset)
      return readdirSync(folder).map((name) => join(folder, name))
    })
    await run(dataImport, '--from', sources, '--leave-out=music', ...mappings.sort())
    expect(versions()).toEqual(merged)
  })

  test('names what is missing; the first file that is there is the base', async () => {
    for (const file of ['Anime-2022.csv', 'mal_anime.csv']) {
      copyFileSync(join(sources, file), join(workshop.folder, file))
    }
    const { status, out } = await run(dataMerge, '--from', workshop.folder, '--works=off')
    expect(status).toBe(0)
    expect(out.split('\n')[0]).toBe(
      `missing in ${workshop.folder}: anime.csv, anime-dataset-2023.csv, animes.csv, anime_270.csv, ` +
        'anime4500.csv, wykonos.csv, Anime_data.csv, Anime2.csv, manga.csv, jikan.csv, data.csv',
    )
    expect(out).toMatch(/^ {2}Anime-2022.csv: 1 row read, 1 new entry$/m)
    expect(out).toMatch(/^ {2}mal_anime.csv: 4 rows read, 0 joined by title, 4 new entries$/m)
    expect(workshop.read((catalogue) => catalogue.datasets())).toMatchObject([
      { rows: 5, columns: ['Synopsis Anime-2022 Dataset', 'Synopsis mal_anime Dataset'] },
    ])
  })

  test('fails with status 1 where the folder has none of them', async () => {
    for (const folder of [workshop.folder, join(workshop.folder, 'missing')]) {
      const { status, out, err } = await run(dataMerge, '--from', folder)
      expect([status, out]).toEqual([1, ''])
      expect(err).toMatch(/^error: .* holds none of anime\.csv, .*, data\.csv\n$/)
    }
  })

  test.each([
    [[], /set --from to the folder that holds the files/],
    [['--from', sources, shelf], /data merge: unexpected word ".*shelf\.json"/],
    [['--form', sources], /data merge: .*--form/],
  ])('refuses the words %j', async (argv, message) => {
    await expect(run(dataMerge, ...argv)).rejects.toThrow(SettingsError)
    await expect(run(dataMerge, ...argv)).rejects.toThrow(message)
  })
})

describe('data list', () => {
  test('shows datasets, versions, rows and columns', async () => {
    const { datasets } = await workshop.import(shelf, drawer)
    const [anime, manga] = datasets.map(({ version }) => version)
    const { status, out } = await run(dataList)
    expect(status).toBe(0)
    expect(out).toBe(
      `anime: 4 entries, version ${anime ?? ''}\n  Synopsis shelf Dataset\n` +
        `manga: 3 entries, version ${manga ?? ''}\n  synopsis\n`,
    )
  })

  test('fails with status 1 where there is no catalogue, naming the command that builds it', async () => {
    const { status, out, err } = await run(dataList)
    expect([status, out]).toEqual([1, ''])
    expect(err).toMatch(/^error: .*there is no catalogue; import .*: `synoptic data import/)
  })

  test('takes no words', async () => {
    await expect(run(dataList, 'anime')).rejects.toThrow(SettingsError)
  })
})

test.each([dataImport, dataMerge, dataList])(
  'the help of $name begins with its usage',
  (command) => {
    expect(command.help).toMatch(new RegExp(`^Usage: synoptic ${command.name}`))
    expect(command.help.split('\n').every((line) => line.length <= 100)).toBe(true)
  },
)
