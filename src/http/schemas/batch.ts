/** Several texts in one request, in place of one: `descriptions` beside `description`. */
import * as v from 'valibot'
import { kindOf, trimmedText, maxTextLength } from './parts.js'

/** As many share a scan. */
export const maxBatch = 64

/** A text of a batch by itself. */
export const batchedText = trimmedText(maxTextLength)

/** Only the kind of each text is checked with the request: one that is empty or too long fails alone. */
export function batchOf(member: string) {
  const notAList = ({ input }: v.BaseIssue<unknown>) =>
    `expected a list of 1 to ${maxBatch} texts, received ${describe(input)}`
  return v.pipe(
    v.array(
      v.string(({ input }) => `expected text, received ${kindOf(input)}`),
      notAList,
    ),
    v.minLength(1, notAList),
    v.maxLength(maxBatch, notAList),
    v.description(
      `In place of \`${member}\`: up to ${maxBatch} of them, each as that one is. The answers come in ` +
        'their order; one that is wrong has an error for its answer.',
    ),
  )
}

const describe = (input: unknown) => (Array.isArray(input) ? String(input.length) : kindOf(input))

/** Checks that a request has one of both members, and documents it. */
export function oneOrMany<
  One extends string,
  Many extends string,
  Request extends Readonly<Partial<Record<One | Many, unknown>>>,
>(one: One, many: Many) {
  return v.rawCheck<Request>(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { value } = dataset
    const [hasOne, hasMany] = [value[one] !== undefined, value[many] !== undefined]
    if (hasOne !== hasMany) return
    const key = hasOne ? many : one
    addIssue({
      message: hasOne ? `expected either ${one} or ${many}, received both` : 'required',
      path: [{ type: 'object', origin: 'value', input: value, key, value: value[key] }],
    })
  })
}

/** What JSON Schema says of the same. */
export const oneOfMembers = (one: string, many: string) => ({
  oneOf: [{ required: [one] }, { required: [many] }],
})

/** The answer to a text of a batch that has none. */
export const failedText = v.pipe(
  v.object({
    error: v.object({
      path: v.pipe(v.string(), v.description('The text in the request, such as `descriptions.3`.')),
      message: v.pipe(v.string(), v.description('What was expected and received.')),
    }),
  }),
  v.title('FailedText'),
  v.description('A text of a batch that cannot be answered; the others are.'),
)

/** What a route answers that takes one text or several. */
export const oneOrAnswers = <Answer extends v.GenericSchema>(answer: Answer, title: string) =>
  v.pipe(
    v.union([
      answer,
      v.pipe(
        v.object({
          answers: v.pipe(
            v.array(v.union([answer, failedText])),
            v.description('One for each text of a batch, in their order.'),
          ),
        }),
        v.title(`${title}Answers`),
      ),
    ]),
    v.title(`${title}Response`),
  )
