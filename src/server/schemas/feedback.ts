/** POST /feedback/…: the body. */
import * as v from 'valibot'
import { freeText, integer, maxResults, closedObject } from './parts.js'
import { maxResultWindow } from '../../search/service/pagination.js'

export const feedbackRequest = v.pipe(
  closedObject({
    query: freeText('What was searched'),
    work: v.pipe(
      integer(0, Number.MAX_SAFE_INTEGER),
      v.description('The right entry.'),
      v.examples([1]),
    ),
    rank: v.pipe(
      integer(1, maxResultWindow * maxResults),
      v.description('Its place among the results, from 1.'),
      v.examples([1]),
    ),
  }),
  v.title('FeedbackRequest'),
)

export const feedbackResponse = v.pipe(
  v.object({ kept: v.pipe(v.boolean(), v.description('That it is kept.')) }),
  v.title('FeedbackAnswer'),
)
