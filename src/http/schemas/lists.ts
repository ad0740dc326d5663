/** What both searches say of the lists of a user at AniList. */
import * as v from 'valibot'
import { closedObject, unlike } from './parts.js'
import { asBoolean } from '../../util/as-boolean.js'

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
