/** POST /ids/…: body and response. */
import * as v from 'valibot'
import { closedObject, unlike } from './parts.js'

const sites = ['mal', 'anilist'] as const
const maxIds = 5000
const idOfSite = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

export const siteIdsRequest = v.pipe(
  closedObject({
    site: v.pipe(
      v.picklist(sites, unlike(sites.join(', '))),
      v.description('Whose ids these are: `mal` is MyAnimeList.'),
    ),
    ids: v.pipe(
      v.array(idOfSite),
      v.maxLength(maxIds, `expected at most ${maxIds} ids`),
      v.description(`Ids of the site, at most ${maxIds}.`),
    ),
  }),
  v.title('SiteIds'),
  v.examples([{ site: 'mal', ids: [1535, 457] }]),
)

export const siteIdsResponse = v.pipe(
  v.object({
    works: v.pipe(
      v.array(
        v.pipe(
          v.object({
            siteId: v.pipe(v.number(), v.integer(), v.description('The id of the site.')),
            id: v.pipe(v.number(), v.integer(), v.description('The entry.')),
          }),
          v.title('SiteEntry'),
        ),
      ),
      v.description('Those that the dataset has, in the order of the request.'),
    ),
  }),
  v.title('EntriesOfSite'),
)
