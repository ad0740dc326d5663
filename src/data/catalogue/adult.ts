import type { CatalogueRow } from './catalogue-row.js'

/** Genres that sites keep for adults. */
const adultGenres: readonly string[] = ['Hentai', 'Erotica']

/** Whether an entry is for adults only: its source says so, or it has such a genre. */
export function isAdult({
  genres,
  metadata,
  facts = {},
}: Pick<CatalogueRow, 'genres' | 'metadata' | 'facts'>): boolean {
  const isSaid = facts.adult === true || metadata.isAdult === true
  return isSaid || adultGenres.some((genre) => genres.includes(genre))
}
