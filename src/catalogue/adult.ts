import type { Entry } from './catalogue.js'

/** Genres that sites keep for adults. */
const adultGenres: readonly string[] = ['Hentai', 'Erotica']

/** Whether an entry is for adults only: its source says so, or it has such a genre. */
export function isAdult({ genres, metadata }: Pick<Entry, 'genres' | 'metadata'>): boolean {
  return metadata.isAdult === true || adultGenres.some((genre) => genres.includes(genre))
}
