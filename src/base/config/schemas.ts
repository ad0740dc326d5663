/**
 * The types of settings. Each schema accepts a word (flag, environment) and a JSON value (configuration
 * file), and has one message that says what it expects.
 */
import { isIP } from 'node:net'
import * as v from 'valibot'
import { routeGroups, type RouteGroup } from './route-groups.js'
import { asBoolean } from '../util/as-boolean.js'

export const text = v.pipe(v.string('expected text'), v.trim(), v.nonEmpty('expected text'))
export const path = v.pipe(v.string('expected a path'), v.nonEmpty('expected a path'))
/** Empty for none. */
export const optionalPath = v.string('expected a path')

export const httpUrl = v.pipe(
  v.string('expected an http(s) address'),
  v.check(
    (value) => /^https?:$/.test(URL.canParse(value) ? new URL(value).protocol : ''),
    'expected an http(s) address',
  ),
)

export const redisUrlOrMemory = v.pipe(
  v.string('expected memory, or an address such as redis://127.0.0.1:6379'),
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

/** A port, or `none`. */
export const portOrNone: v.GenericSchema<unknown, number | 'none'> = v.union(
  [v.literal('none'), integer(1, 65_535)],
  'expected none, or an integer from 1 to 65535',
)

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

/** A switch. The flag without a value turns it on. */
export const onOrOff: v.GenericSchema<unknown, boolean> = v.pipe(
  v.unknown(),
  v.transform(asBoolean),
  v.boolean('expected true, false, 1 or 0'),
)

/** Requests per second by group of routes. */
export type Rates = Readonly<Partial<Record<RouteGroup, number>>>

const rate = number(0, 1_000_000)
const rateExpected =
  'expected a number from 0 to 1000000, or a list such as searchmodel=1,search=0.5 ' +
  `with the groups ${routeGroups.join(', ')}`

/** A single number is the rate of /searchmodel. Other groups keep their defaults: 1 for /searchmodel, no limit for the rest. */
export const rates: v.GenericSchema<unknown, Rates> = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const alone = v.safeParse(rate, dataset.value)
    if (alone.success) return { searchmodel: alone.output }
    const words = typeof dataset.value === 'string' ? wordsOf(dataset.value) : dataset.value
    const pairs = Array.isArray(words) ? words.map((word) => String(word).split('=')) : []
    const named = pairs.flatMap(([name = '', value, ...more]) => {
      const group = routeGroups.find((group) => group === name.trim())
      const perSecond = v.safeParse(rate, value)
      const isSound = group !== undefined && perSecond.success && more.length === 0
      return isSound ? [[group, perSecond.output] as const] : []
    })
    const isEachOnce = new Set(named.map(([group]) => group)).size === pairs.length
    if (pairs.length > 0 && isEachOnce) return { searchmodel: 1, ...Object.fromEntries(named) }
    addIssue({ message: rateExpected })
    return NEVER
  }),
)

const aliasesExpected =
  'expected none, or a list of names and models such as text-embedding-3-small=builtin/static-en'
const aliasWord = /^([\w.:/-]{1,100})=([\w./-]{1,200})$/

/** A list of `alias=model`, or `none`. */
export const modelAliases: v.GenericSchema<unknown, Readonly<Record<string, string>>> = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const words = typeof dataset.value === 'string' ? wordsOf(dataset.value) : dataset.value
    if (Array.isArray(words)) {
      if (words.length === 1 && words[0] === 'none') return {}
      const pairs = words.flatMap((word) => {
        const [, alias, model] = aliasWord.exec(String(word)) ?? []
        return alias === undefined || model === undefined ? [] : [[alias, model] as const]
      })
      const isEachOnce = new Set(pairs.map(([alias]) => alias)).size === words.length
      if (pairs.length > 0 && isEachOnce) return Object.fromEntries(pairs)
    }
    addIssue({ message: aliasesExpected })
    return NEVER
  }),
)

const isNetwork = (word: string): boolean => {
  const [address = '', prefix, ...more] = word.split('/')
  const maxPrefix = { 4: 32, 6: 128 }[isIP(address)] ?? 0
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= maxPrefix)
  // A zone (`%eth0`) is valid on one machine only.
  return maxPrefix > 0 && !address.includes('%') && isPrefix && more.length === 0
}
const networks = listOf(isNetwork, 'addresses')
export const networksOrNone = listOf(
  (word) => word === 'none' || isNetwork(word),
  'none, or addresses and networks such as 192.0.2.1,10.0.0.0/8',
)
const hops = integer(0, 16)

const notADevice = 'expected auto, cpu, cuda or cuda:N'
export const device = v.pipe(
  v.string(notADevice),
  v.regex(/^(auto|cpu|cuda(:\d{1,3})?)$/, notADevice),
)

/** The number of proxies, or their addresses and networks. */
export type TrustedProxies = number | readonly string[]

export const trustedProxies: v.GenericSchema<unknown, TrustedProxies> = v.union(
  [hops, networks],
  'expected a number of proxies (0 to 16), or addresses and networks such as 10.0.0.0/8,::1',
)

/** How much memory of a GPU searches may use. */
export type GpuMemoryLimit =
  | { readonly kind: 'auto' }
  | { readonly kind: 'bytes' | 'percent'; readonly value: number }

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

/** Comma-separated words, or an array of words. `fits` checks each word. */
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
function numberOf(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
}
