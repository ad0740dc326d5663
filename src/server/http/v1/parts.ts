/**
 * What the requests of v1 are made of. Members that are not known are passed over, as the servers do whose
 * place these routes take: clients send more than a server needs.
 */
import * as v from 'valibot'
import type { TextInput } from '../../../search/inference/inference.js'
import { isBlank } from '../../../base/util/blank.js'
import { kindOf, notAnObject } from '../../schemas/parts.js'

/** Longer than what any model reads, in code points; a tokenizer would read all of it. */
const maxTextLength = 100_000

export const openObject = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object(entries, notAnObject)

export const flag = (fallback: boolean, description: string) =>
  v.optional(
    v.pipe(
      v.nullish(
        v.boolean(({ input }) => `expected true or false, received ${kindOf(input)}`),
        fallback,
      ),
      v.description(description),
    ),
    fallback,
  )

/** Null counts as absent: many clients send it. */
export const optionalText = (description: string) =>
  v.optional(
    v.pipe(
      v.nullish(v.string(({ input }) => `expected text, received ${kindOf(input)}`)),
      v.transform((text) => text ?? undefined),
      v.description(description),
    ),
  )

export const optionalCount = (description: string) =>
  v.optional(
    v.pipe(
      v.nullish(v.pipe(v.number(notACount), v.integer(notACount), v.minValue(1, notACount))),
      v.transform((count) => count ?? undefined),
      v.description(description),
    ),
  )

const notACount = ({ input }: v.BaseIssue<unknown>) =>
  `expected an integer from 1, received ${kindOf(input)}`

export const oneText = (description: string) =>
  v.pipe(
    v.string(({ input }) => `expected text, received ${kindOf(input)}`),
    v.check(isSoundText, ({ input }) => notSound(input)),
    v.metadata({ minLength: 1, maxLength: maxTextLength, description }),
  )

export const textList = (description: string) =>
  v.pipe(
    v.unknown(),
    v.metadata({ type: 'array', items: text, minItems: 1, description }),
    v.rawTransform<unknown, readonly string[]>(({ dataset, addIssue, NEVER }) => {
      const problem = problemOfTexts(dataset.value)
      if (problem === undefined) return dataset.value as readonly string[]
      addIssue({ message: problem })
      return NEVER
    }),
  )

const text = { type: 'string', minLength: 1, maxLength: maxTextLength } as const
const ids = { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 1 } as const

/**
 * A text, texts, token ids, or token ids of several texts, as a list. They are looked through by hand: a
 * schema makes an object of each of half a million ids.
 */
export const textInputs = (description: string) =>
  v.pipe(
    v.unknown(),
    v.metadata({
      anyOf: [
        text,
        { type: 'array', items: text, minItems: 1 },
        ids,
        { type: 'array', items: ids, minItems: 1 },
      ],
      description,
    }),
    v.rawTransform<unknown, TextInputs>(({ dataset: { value }, addIssue, NEVER }) => {
      const problem = problemOfInputs(value)
      if (problem === undefined) return inputsOf(value as AnyInput)
      addIssue({ message: problem })
      return NEVER
    }),
  )

type AnyInput = string | readonly string[] | readonly number[] | readonly (readonly number[])[]

export interface TextInputs {
  readonly list: readonly TextInput[]
  /** The request has one text that is not in a list. */
  readonly isSingle: boolean
}

function inputsOf(value: AnyInput): TextInputs {
  if (typeof value === 'string') return { list: [value], isSingle: true }
  if (typeof value[0] === 'number') return { list: [value as readonly number[]], isSingle: true }
  return { list: value as readonly TextInput[], isSingle: false }
}

/** How many texts a request has, before it is looked through; a list of ids is one text. */
export const countInputs = (value: unknown): number =>
  Array.isArray(value) && typeof value[0] !== 'number' ? value.length : 1

function problemOfInputs(value: unknown): string | undefined {
  if (typeof value === 'string') return isSoundText(value) ? undefined : notSound(value)
  if (!Array.isArray(value)) {
    return `expected a text, a list of texts, or token ids, received ${kindOf(value)}`
  }
  if (typeof value[0] === 'number') return problemOfIds(value)
  if (!Array.isArray(value[0])) return problemOfTexts(value)
  for (const [position, item] of value.entries()) {
    const problem = Array.isArray(item) ? problemOfIds(item) : `expected a list of token ids`
    if (problem !== undefined) return `number ${position}: ${problem}`
  }
  return undefined
}

function problemOfTexts(value: unknown): string | undefined {
  if (!Array.isArray(value)) return `expected a list of texts, received ${kindOf(value)}`
  if (value.length === 0) return 'expected at least one text, received an empty list'
  for (const [position, item] of value.entries()) {
    if (typeof item !== 'string') {
      return `number ${position}: expected text, received ${kindOf(item)}`
    }
    if (!isSoundText(item)) return `number ${position}: ${notSound(item)}`
  }
  return undefined
}

function problemOfIds(value: readonly unknown[]): string | undefined {
  if (value.length === 0) return 'expected at least one token id, received an empty list'
  const strange = value.findIndex((id) => !Number.isInteger(id) || Number(id) < 0)
  if (strange < 0) return undefined
  return `expected token ids, integers from 0, received ${kindOf(value[strange])} at ${strange}`
}

const isSoundText = (text: string) => !isBlank(text) && lengthOf(text) <= maxTextLength

/** In code points, as JSON Schema counts. */
const lengthOf = (text: string) =>
  text.length <= maxTextLength ? text.length : Array.from(text).length

const notSound = (text: string) =>
  isBlank(text)
    ? 'expected a text, received an empty one'
    : `expected at most ${maxTextLength} characters, received ${lengthOf(text)}`
