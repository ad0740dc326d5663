/** Several texts in one request, in place of one: `descriptions` or `description`. */
import * as v from 'valibot'
import { kindOf, trimmedText, maxTextLength } from './parts.js'

/** As many share a scan. */
const maxBatch = 64

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

/**
 * An object that requires exactly one of two members. A check behind the schema would not run where another
 * member is wrong, and all problems are reported at once.
 */
export function oneOrMany<Schema extends v.GenericSchema>(
  schema: Schema,
  one: string,
  many: string,
): Schema {
  return {
    ...schema,
    '~run'(dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) {
      const { value: input } = dataset
      const checked = schema['~run'](dataset, config)
      if (typeof input !== 'object' || input === null || Array.isArray(input)) return checked
      const members = input as Readonly<Record<string, unknown>>
      const [hasOne, hasMany] = [one, many].map((name) => members[name] !== undefined)
      if (hasOne === hasMany) {
        const key = hasOne ? many : one
        const message = hasOne ? `expected either ${one} or ${many}, received both` : 'required'
        const place = { type: 'object', origin: 'key', input: members, key } as const
        const path: [v.ObjectPathItem] = [{ ...place, value: members[key] }]
        v._addIssue(schema, 'members', checked, config, { message, path })
        // Before those of other members, in the order of the request.
        checked.issues?.unshift(...checked.issues.splice(-1))
      }
      return checked
    },
  }
}

/** What JSON Schema says of the same. */
export const oneOfMembers = (one: string, many: string) => ({
  oneOf: [{ required: [one] }, { required: [many] }],
})

/** The answer to a text of a batch that has none. */
const failedText = v.pipe(
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
