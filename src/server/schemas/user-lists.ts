/** POST /lists/…: body and response. */
import * as v from 'valibot'
import { closedObject } from './parts.js'

const nameExpected = 'expected the name of an AniList user: at most 40 letters, digits, _ and -'
const statuses = ['CURRENT', 'PLANNING', 'COMPLETED', 'DROPPED', 'PAUSED', 'REPEATING'] as const

export const userListRequest = v.pipe(
  closedObject({
    anilistUser: v.pipe(
      v.string(nameExpected),
      v.regex(/^[\w-]{1,40}$/, nameExpected),
      v.description('Name of an AniList user whose lists are public.'),
    ),
  }),
  v.title('UserListRequest'),
  v.examples([{ anilistUser: 'Somebody' }]),
)

const listedWork = v.pipe(
  v.object({
    id: v.pipe(v.number(), v.integer(), v.description('The entry.')),
    status: v.pipe(v.picklist(statuses), v.description('The list that it is on.')),
    score: v.pipe(
      v.nullable(v.number()),
      v.description("The user's rating from 1 to 10; null without one."),
    ),
  }),
  v.title('ListedWork'),
)
export type ListedWork = v.InferOutput<typeof listedWork>

export const userListResponse = v.pipe(
  v.object({
    works: v.pipe(
      v.array(listedWork),
      v.description('Works of the lists that the dataset has, each once.'),
    ),
    total: v.pipe(v.number(), v.integer(), v.description('Number of works on the lists.')),
  }),
  v.title('UserList'),
)
