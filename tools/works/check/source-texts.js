/** Texts of others about the works, to see that nothing is copied. They are not in the repository. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { fold } from './text.js'

const files = [
  { name: 'mal_anime_3000.csv', file: 'anime', id: 'item_id', title: 'title', text: 'description' },
  { name: 'mal_manga_3000.csv', file: 'manga', id: 'item_id', title: 'title', text: 'description' },
  {
    name: 'mal_manhwa_3000.csv',
    file: 'manga',
    id: 'item_id',
    title: 'title',
    text: 'description',
  },
  { name: 'Anime_data.csv', file: 'anime', title: 'Name', text: 'Description' },
  { name: 'anime4500.csv', file: 'anime', title: 'Title', text: 'Description' },
]

/** A function from a work to all texts about it, by id or by title; undefined without the folder. */
export function readSourceTexts(folder) {
  const present = files.filter((file) => existsSync(join(folder, file.name)))
  if (present.length === 0) return undefined
  const texts = new Map()
  const add = (key, text) => texts.set(key, [...(texts.get(key) ?? []), text])
  for (const { name, file, id, title, text } of present)
    for (const row of parse(readFileSync(join(folder, name)), options)) {
      const clean = (row[text] ?? '').replace(/<[^>]*>/g, ' ')
      if (clean.trim() === '') continue
      if (id !== undefined) add(`${file} ${row[id]}`, clean)
      else add(`${file} ${titleKey(row[title] ?? '')}`, clean)
    }
  return (file, { mal, titles: { romaji, english } }) =>
    [mal, ...[romaji, english].filter(Boolean).map(titleKey)].flatMap(
      (key) => texts.get(`${file} ${key}`) ?? [],
    )
}

const options = { columns: true, bom: true, relax_quotes: true, relax_column_count: true }

function titleKey(title) {
  return `"${fold(title)} ${title.replace(/\D/g, '')}"`
}
