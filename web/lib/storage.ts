/** What this browser keeps for the page. A browser that keeps nothing forgets it with the tab. */

import { titleLanguages, type TitleLanguage } from './query.js'

/** What `keep` stored under that name; undefined where there is nothing. */
export function readKept(name: string): unknown {
  try {
    const text = localStorage.getItem(name)
    return text === null ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

const titlesPlace = 'synoptic-titles'

/** The language of titles that somebody chose. */
export const keptTitles = (): TitleLanguage | undefined =>
  titleLanguages.find((name) => name === readKept(titlesPlace))
export const keepTitles = (titles: TitleLanguage): void => keep(titlesPlace, titles)

/** @param value undefined forgets it */
export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Then it lasts as long as the page.
  }
}
