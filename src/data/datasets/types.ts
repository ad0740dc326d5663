/** Types of works: the names that the product uses, and what files in other languages call them. */
import { typeName } from '../catalogue/filter.js'

const animeTypes: ReadonlySet<string> = new Set([
  'tv',
  'tv_short',
  'movie',
  'ova',
  'oav',
  'ona',
  'special',
  'tv_special',
  'music',
  'pv',
  'cm',
])
export const mangaTypes: ReadonlySet<string> = new Set([
  'manga',
  'manhwa',
  'manhua',
  'light_novel',
  'novel',
  'one_shot',
  'doujinshi',
  'oel',
  'doujin',
])

/** By name as `typeName` writes it. Only words that mean one type: `serie` of a table of manga has its own. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  tv: [
    'tv_serie',
    'tv_series',
    'serie_tv',
    'série_tv',
    'tv_show',
    'series',
    'serie',
    'série',
    'fernsehserie',
    'serie_de_tv',
    'série_de_tv',
    'serie_televisiva',
    'テレビ',
    'tvアニメ',
    'tvシリーズ',
  ],
  movie: [
    'film',
    'films',
    'kinofilm',
    'anime_film',
    'película',
    'pelicula',
    'filme',
    'longa_metragem',
    'long_métrage',
    'lungometraggio',
    '映画',
    '劇場版',
    '劇場',
  ],
  special: ['specials', 'spécial', 'especial', 'speciale', 'スペシャル'],
  light_novel: ['lightnovel', 'ranobe', 'ライトノベル'],
  novel: ['roman', 'novela', 'romanzo', '小説'],
  one_shot: ['oneshot', '読切', '読み切り'],
  manga: ['漫画', 'マンガ', 'コミック'],
  music: ['music_video', 'musikvideo'],
  ona: ['web', 'web_anime'],
}
const canonical: ReadonlyMap<string, string> = new Map(
  Object.entries(aliases).flatMap(([type, names]) => names.map((name) => [name, type] as const)),
)

/** The type in the spelling of filters, `Serie TV` as `tv`; null without a letter. */
export function readType(text: string): string | null {
  const name = typeName(text)
  return name === null ? null : (canonical.get(name) ?? name)
}

export const isKnownType = (type: string) => animeTypes.has(type) || mangaTypes.has(type)
