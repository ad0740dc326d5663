/** What both searches say of the lists of a user at AniList. */
import * as v from 'valibot'
import { closedObject, unlike } from './parts.js'
import { asBoolean } from '../../base/util/as-boolean.js'

/** To be spread into the entries of a query. */
export const listEntries = {
  excludeListed: v.optional(
    v.pipe(
      v.unknown(),
      v.transform(asBoolean),
      v.boolean(unlike('true, false, 1 or 0')),
      v.description("Whether what is on one of the user's lists at AniList is left out."),
    ),
    false,
  ),
}

const maxExcluded = 20_000

/** Ids that a request does not want, such as those of a list that the client has. */
export const excluded = v.pipe(
  v.array(v.pipe(v.number(), v.safeInteger())),
  v.maxLength(maxExcluded, `expected at most ${maxExcluded} ids`),
  v.description(`Ids of entries that are not searched, at most ${maxExcluded}.`),
)

export const listQuery = closedObject(listEntries)

/** A member of a result. */
export const listStatus = v.exactOptional(
  v.pipe(
    v.nullable(v.string()),
    v.description(
      "The user's list at AniList that it is on, such as `COMPLETED`, or null for none; absent where " +
        'the server has no access token.',
    ),
  ),
)
