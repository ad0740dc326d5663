/** In which language the title of a work is shown. */
import type { Entry } from './entry.js'

export const titleLanguages = ['romaji', 'english', 'native'] as const
export type TitleLanguage = (typeof titleLanguages)[number]

/** The title in that language; the catalogue's own, which is mostly romaji, where it has none. */
export function shownTitle(
  { title, metadata }: Pick<Entry, 'title' | 'metadata'>,
  language: TitleLanguage = 'romaji',
): string {
  if (language === 'romaji') return title
  const { titleEnglish, titleJapanese } = metadata
  const wanted = language === 'english' ? titleEnglish : titleJapanese
  return typeof wanted === 'string' && wanted !== '' ? wanted : title
}
