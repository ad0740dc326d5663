/**
 * What the messages are made of. Messages of problems say what was expected and what kind of thing was
 * received, never the text of a description.
 */
import * as v from 'valibot'
import { isBlank } from '../../base/util/blank.js'
import { suggestion } from '../../base/util/suggest.js'

/** Characters are Unicode code points, so an emoji counts once. */
export const maxTextLength = 2000
export const maxResults = 100

export function freeText(description: string) {
  return v.pipe(
    trimmedText(maxTextLength),
    v.description(`${description}, 1 to ${maxTextLength} characters after trimming.`),
  )
}

export function trimmedText(longest: number) {
  const expected = `must be 1 to ${longest.toLocaleString('en')} characters`
  return v.pipe(
    v.string(({ input }) => `expected text, received ${kindOf(input)}`),
    v.trim(),
    v.minLength(1, `${expected}; it is empty`),
    // Signs without width or meaning alone are no text either.
    v.check((value) => value === '' || !isBlank(value), `${expected}; it is empty`),
    v.maxCodePoints(
      longest,
      ({ input }) => `${expected}; it has ${Array.from(input).length.toLocaleString('en')}`,
    ),
  )
}

type Message = (issue: v.BaseIssue<unknown>) => string

const notAnInteger =
  (minimum: number, maximum: number): Message =>
  ({ input }) =>
    `expected an integer from ${minimum} to ${maximum}, received ${kindOf(input)}`

export function integer(
  minimum: number,
  maximum: number,
  message: Message = notAnInteger(minimum, maximum),
) {
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(minimum, message),
    v.maxValue(maximum, message),
  )
}

/** What is wrong with a parameter or a word of a fixed list, which may be quoted: it is no text of a search. */
export const unlike =
  (expected: string): Message =>
  ({ input }) =>
    `expected ${expected}, received ${typeof input === 'string' ? JSON.stringify(input.slice(0, 40)) : kindOf(input)}`

/** A parameter arrives as text; what is not an integer stays as it is, to be refused. */
export const asNumber = (word: unknown): unknown =>
  typeof word === 'string' && /^\d+$/.test(word) ? Number(word) : word

/** The message of an object schema is also that of a missing member. */
export const notAnObject = (issue: v.BaseIssue<unknown>) =>
  issue.path === undefined ? `expected a JSON object, received ${kindOf(issue.input)}` : 'required'

/** An object without other members; one that is too many is answered with the nearest of these. */
export function closedObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.strictObject(entries, (issue) => {
    if (issue.expected !== 'never') return notAnObject(issue)
    const received = String(issue.path?.at(-1)?.key).slice(0, 40)
    const names = Object.keys(entries)
    const known = names.length === 0 ? 'there are none here' : `known are ${names.join(', ')}`
    return `unknown name${suggestion(received, names) || `; ${known}`}`
  })
}

export function kindOf(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Members of responses, which are described but not checked. */
export const count = (description: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.description(description))
export const countOrNull = (description: string) =>
  v.pipe(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), v.description(description))
export const amount = (description: string) => v.pipe(v.number(), v.description(description))
export const text = (description: string, example?: string) =>
  v.pipe(v.string(), v.metadata({ description, ...(example && { examples: [example] }) }))
export const texts = (description: string) =>
  v.pipe(v.array(v.string()), v.description(description))
export const textOrNull = (description: string) =>
  v.pipe(v.nullable(v.string()), v.description(description))
