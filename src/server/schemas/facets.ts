/** What works can be filtered by, with counts. */
import * as v from 'valibot'
import { count, text } from './parts.js'

const yearOrNull = v.pipe(
  v.nullable(v.pipe(v.number(), v.integer())),
  v.description('The year in which it began; null if that is not known.'),
)

const facet = v.pipe(
  v.object({
    value: text('What a filter takes.', 'time-loop'),
    name: v.optional(text('For people, where that differs.', 'time loop')),
    family: v.optional(text('What kind of tag it is.', 'theme')),
    count: count('Works that have it.'),
  }),
  v.title('Facet'),
)
const facets = (description: string) => v.pipe(v.array(facet), v.description(description))

export const facetsResponse = v.pipe(
  v.object({
    types: facets('Types.'),
    years: v.pipe(
      v.object({ from: yearOrNull, to: yearOrNull }),
      v.description('The first and the last year in which a work began.'),
    ),
    scores: v.pipe(
      v.object({ from: v.nullable(v.number()), to: v.nullable(v.number()) }),
      v.description('The lowest and the highest average rating; null where none is known.'),
    ),
    audiences: facets('Audiences, such as `seinen`.'),
    genres: facets('Genres.'),
    tags: facets('Tags.'),
    studios: facets('Studios.'),
    where: v.pipe(
      v.record(
        v.string(),
        v.object({
          values: v.exactOptional(facets('Of texts.')),
          from: v.exactOptional(v.nullable(v.number())),
          to: v.exactOptional(v.nullable(v.number())),
        }),
      ),
      v.description(
        'Of metadata that the mapping declares filterable, by name: values of texts, or the lowest and the highest number (of dates 20051004).',
      ),
    ),
  }),
  v.title('Facets'),
  v.description('Each list by the number of works, at most 1000 values long.'),
)

const { types, years, scores, audiences, genres, tags, studios, where } = facetsResponse.entries

/** Those that a request names. */
export const someFacets = v.pipe(
  v.object({
    types: v.exactOptional(types),
    years: v.exactOptional(years),
    scores: v.exactOptional(scores),
    audiences: v.exactOptional(audiences),
    genres: v.exactOptional(genres),
    tags: v.exactOptional(tags),
    studios: v.exactOptional(studios),
    where: v.exactOptional(where),
  }),
  v.title('SomeFacets'),
)
