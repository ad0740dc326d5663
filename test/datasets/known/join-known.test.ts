/** Files that are known by sight, with columns of the same names. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useWorkshop } from '../workshop.js'

const workshop = useWorkshop()
const texts = ['synopsis', 'Synopsis anime2 Dataset', 'Synopsis mal_anime Dataset']

/** With the columns of data/sources/merged-anime.json that tell something. */
const merged = (header: readonly string[], plot: string) => {
  const names = ['anime_id', 'title', 'title_english', 'title_japanese', 'type', 'genres']
  const others = [
    'anime_dataset_2023',
    'animes dataset',
    'anime_270 Dataset',
    'Anime-2022 Dataset',
    'anime4500 Dataset',
    'wykonos Dataset',
    'Anime_data Dataset',
  ].map((name) => `Synopsis ${name}`)
  const columns = [...names, ...header, ...others]
  const row = [1, 'One', '', '', 'TV', 'Action', ...header.map((name) => `${plot} of ${name}.`)]
  return `${columns.join(',')}\n${[...row, ...others.map(() => '')].join(',')}\n`
}

function write(folder: string, name: string, content: string): string {
  mkdirSync(join(workshop.folder, folder), { recursive: true })
  return workshop.write(join(folder, name), content)
}

test('keep all their columns, each under a name of its own', async () => {
  const { datasets } = await workshop.import(
    write('a', 'anime.csv', merged(texts, 'A plot')),
    write('b', 'anime.csv', merged(texts, 'Another plot')),
    write('c', 'anime.csv', merged(texts, 'A third plot')),
  )
  const columns = datasets[0]?.columns ?? []
  const [entry] = workshop.entries('anime')
  const textOf = (column: string) => entry?.texts[columns.indexOf(column)]
  expect(columns).toHaveLength(30)
  expect(textOf('synopsis')).toBe('A plot of synopsis.')
  expect(textOf('Synopsis anime')).toBe('Another plot of synopsis.')
  expect(textOf('Synopsis anime 2')).toBe('A third plot of synopsis.')
  expect(textOf('Synopsis anime2 Dataset anime')).toBe('Another plot of Synopsis anime2 Dataset.')
  expect(textOf('Synopsis mal_anime Dataset anime 2')).toBe(
    'A third plot of Synopsis mal_anime Dataset.',
  )
})

test('keep the name that no file before has', async () => {
  const csv = (name: string, column: string) =>
    workshop.write(name, `anime_id,title,type,episodes,${column}\n1,One,TV,12,${name} tells it.\n`)
  const { datasets } = await workshop.import(csv('one.csv', 'synopsis'), csv('two.csv', 'synopsis'))
  expect(datasets[0]?.columns).toEqual(['synopsis', 'Synopsis two'])
})
