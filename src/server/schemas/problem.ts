/** The one error body. */
import * as v from 'valibot'
import type { ProblemBody } from '../problems/problem.js'

const text = (description: string) => v.pipe(v.string(), v.description(description))

export const problem: v.GenericSchema<ProblemBody> = v.pipe(
  v.object({
    type: text('What kind of problem it is, for programs: `urn:synoptic:problem:` and its name.'),
    title: text('The same for people.'),
    status: v.pipe(v.number(), v.integer(), v.description('The HTTP status.')),
    detail: text('What was expected and what was received.'),
    error: text('The same as `detail`.'),
    errors: v.pipe(
      v.array(
        v.object({
          path: text('Member or parameter, dotted where nested; empty for the message as a whole.'),
          message: text('What was expected and what was received.'),
        }),
      ),
      v.description('What is wrong with the request; empty where it is not at fault.'),
    ),
    requestId: text('Finds the request in the log.'),
  }),
  v.title('Problem'),
  v.description('Every error has this body, as RFC 9457 says.'),
)
