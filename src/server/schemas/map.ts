/** GET /map/…: query and response. */
import * as v from 'valibot'
import { asBoolean } from '../../base/util/as-boolean.js'
import { closedObject, count, text, texts, unlike } from './parts.js'

export const mapQuery = closedObject({
  adult: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(asBoolean),
      v.boolean(unlike('true, false, 1 or 0')),
      v.description('Whether works for adults are among them.'),
    ),
    false,
  ),
})

const numbers = (description: string) =>
  v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0))), v.description(description))

const region = v.pipe(
  v.object({
    level: count('0 is seen from afar; higher levels when one comes nearer.'),
    x: count('Its middle.'),
    y: count('Its middle.'),
    words: texts('Tags and genres that its works share and others lack, the weightiest first.'),
    works: count('How many works lie in it.'),
  }),
  v.title('MapRegion'),
)

export const mapResponse = v.pipe(
  v.object({
    dataset: text('The dataset.', 'anime'),
    model: text('The model whose embeddings placed the works.', 'builtin/static-en'),
    extent: count('Coordinates lie from 0 to this; y grows downwards.'),
    unplaced: count('Works without a point: neither texts nor tags of them are known.'),
    families: texts('Families of tags, by the numbers of `works.family`.'),
    works: v.pipe(
      v.object({
        id: v.pipe(
          v.array(v.union([v.pipe(v.number(), v.integer()), v.string()])),
          v.description('The entry; stable.'),
        ),
        title: texts('Its main title, mostly romaji.'),
        english: texts('Its English title; empty where it is the main one, or not known.'),
        native: texts('Its native title; empty where it is the main one, or not known.'),
        year: numbers('The year in which it began; 0 if that is not known.'),
        family: numbers('The family of tags that distinguishes it from others.'),
        x: numbers('Where it lies.'),
        y: numbers('Where it lies.'),
      }),
      v.description('One list a column, all equally long; the best-known work first.'),
    ),
    regions: v.array(region),
  }),
  v.title('Map'),
)
