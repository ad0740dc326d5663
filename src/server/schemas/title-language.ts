/** The parameter `titles`, in which language the titles of works are. */
import * as v from 'valibot'
import { titleLanguages } from '../../data/catalogue/shown-title.js'
import { unlike } from './parts.js'

/** To be spread into the entries of a query. */
export const titleLanguageEntry = {
  titles: v.optional(
    v.pipe(
      v.picklist(titleLanguages, unlike(titleLanguages.join(', '))),
      v.description(
        'Which title of a work is its `title`: `romaji` (the title of the catalogue, mostly romaji), ' +
          '`english` or `native`. A work without one has the title of the catalogue.',
      ),
    ),
    'romaji',
  ),
}
