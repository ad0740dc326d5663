/**
 * The kinds of values that settings have. Each takes a word (flag, environment) as well as a JSON
 * value (configuration file), and fails with one message that says what was expected.
 */
import * as v from 'valibot'
import type { GpuMemoryLimit } from '../native/gpu.js'

export const text = v.pipe(v.string('expected text'), v.trim(), v.nonEmpty('expected some text'))
export const path = v.pipe(v.string('expected a path'), v.nonEmpty('expected a path'))

export const httpUrl = v.pipe(
  v.string('expected an http(s) address'),
  v.check(
    (value) => /^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : ''),
    'expected an http(s) address',
  ),
)

export const redisUrlOrMemory = v.pipe(
  v.string('expected memory, or a redis address'),
  v.check(
    (value) =>
      value === 'memory' || /^rediss?:$/.test(URL.canParse(value) ? new URL(value).protocol : ''),
    'expected memory, or an address such as redis://127.0.0.1:6379',
  ),
)

export function integer(minimum: number, maximum: number): v.GenericSchema<unknown, number> {
  const message = `expected an integer from ${minimum} to ${maximum}`
  return v.pipe(
    v.unknown(),
    v.transform(numberOf),
    v.number(message),
    v.integer(message),
    v.minValue(minimum, message),
    v.maxValue(maximum, message),
  )
}

export function number(minimum: number, maximum: number): v.GenericSchema<unknown, number> {
  const message = `expected a number from ${minimum} to ${maximum}`
  return v.pipe(
    v.unknown(),
    v.transform(numberOf),
    v.number(message),
    v.minValue(minimum, message),
    v.maxValue(maximum, message),
  )
}

export function oneOf<const Words extends readonly string[]>(
  words: Words,
): v.GenericSchema<unknown, Words[number]> {
  return v.picklist(words, `expected one of ${words.join(', ')}`)
}

/** `auto`, a number of bytes, or a percentage. */
export const gpuMemory: v.GenericSchema<unknown, GpuMemoryLimit> = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const word = String(dataset.value).trim()
    if (word === 'auto') return { kind: 'auto' } as const
    const [, digits, unit] = /^(\d+(?:\.\d+)?)(%?)$/.exec(word) ?? []
    const value = Number(digits)
    if (unit === '%' && value <= 100) return { kind: 'percent', value } as const
    if (unit === '' && Number.isSafeInteger(value)) return { kind: 'bytes', value } as const
    addIssue({ message: 'expected auto, a number of bytes, or a percentage from 0% to 100%' })
    return NEVER
  }),
)

/** Comma-separated words, or an array of them, each of which must fit. */
export function listOf(
  fits: (word: string) => boolean,
  what: string,
): v.GenericSchema<unknown, readonly string[]> {
  const message = `expected ${what}`
  return v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' ? wordsOf(value) : value)),
    v.array(v.pipe(v.string(message), v.check(fits, message)), message),
    v.nonEmpty(message),
    v.readonly(),
  )
}

const wordsOf = (list: string): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** `"8000"` is a number on the command line; `"0x10"`, `""` and `"8e3"` are not. */
const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
