/** Settings from flags, environment and configuration file; every problem is told at once. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import type { SettingsOf, SettingsTable } from './settings.js'
import { SettingsError } from '../errors/settings-error.js'
import { suggestion } from '../util/suggest.js'

/** A value as somebody wrote it, and where: `--port`, `SYNOPTIC_PORT`, `port in synoptic.json`. */
interface Written {
  readonly value: unknown
  readonly where: string
}
type Source = ReadonlyMap<string, Written>

export interface ReadSettings<Table extends SettingsTable> {
  readonly settings: SettingsOf<Table>
  /** The words that are no settings, in order, for the command itself. */
  readonly rest: readonly string[]
}

/**
 * A flag goes before an environment variable, that before the configuration file (`--config` or
 * SYNOPTIC_CONFIG), that before the default.
 * @param allowed keys that the configuration file may hold; it is shared by commands with fewer settings
 * @param onlySettings whether words that are no settings are a problem
 * @throws SettingsError
 */
export function readSettings<Table extends SettingsTable>(
  table: Table,
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  allowed: readonly string[] = Object.keys(table),
  onlySettings = false,
): ReadSettings<Table> {
  const problems: string[] = []
  const { flags, rest } = readFlags(table, words)
  if (onlySettings) problems.push(...refusals(table, rest))
  const file = flags.get('config')?.value ?? environment.SYNOPTIC_CONFIG
  const sources = [
    flags,
    readEnvironment(table, environment),
    typeof file === 'string' && file !== '' ? readFile(file, allowed, problems) : none,
  ]
  if (flags.has('config') && file === '') problems.push('--config: expected a file')
  const settings: Record<string, unknown> = {}
  for (const [name, { schema, default: fallback }] of Object.entries(table)) {
    const written = sources.find((source) => source.has(name))?.get(name)
    const checked = v.safeParse(schema, written === undefined ? fallback : written.value)
    if (checked.success) settings[name] = checked.output
    else problems.push(problemOf(written, checked.issues[0].message))
  }
  if (problems.length > 0) throw new SettingsError(problems)
  return { settings: settings as SettingsOf<Table>, rest }
}

/** Flags of the table wherever they stand; every other word stays in `rest`. */
function readFlags(table: SettingsTable, words: readonly string[]) {
  const names = new Map([...Object.keys(table), 'config'].map((name) => [flagOf(name), name]))
  const isSwitch = (name: string) => table[name]?.value === ''
  const options = Object.fromEntries(
    [...names].map(([flag, name]) => [flag, isSwitch(name) ? switchOption : stringOption]),
  )
  const { tokens } = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const flags = new Map<string, Written>()
  const taken = new Set<number>()
  for (const token of tokens) {
    const name = token.kind === 'option' ? names.get(token.name) : undefined
    if (token.kind !== 'option' || name === undefined) continue
    flags.set(name, { value: token.value ?? (isSwitch(name) || ''), where: `--${token.name}` })
    taken.add(token.index)
    if (token.value !== undefined && !token.inlineValue) taken.add(token.index + 1)
  }
  return { flags, rest: words.filter((_, index) => !taken.has(index)) }
}

/** Of an unknown flag the word behind it is its value. */
function refusals(table: SettingsTable, rest: readonly string[]): string[] {
  const flags = [...Object.keys(table), 'config'].map((name) => `--${flagOf(name)}`)
  const unknown = rest
    .filter((word) => word.startsWith('-'))
    .map((word) => word.split('=')[0] ?? '')
  if (unknown.length === 0) return rest.map((word) => `expected no ${JSON.stringify(word)}`)
  return unknown.map((flag) => `no such option ${flag}${suggestion(flag, flags)}`)
}

function readEnvironment(
  table: SettingsTable,
  environment: Readonly<Record<string, string | undefined>>,
): Source {
  const values = new Map<string, Written>()
  for (const name of Object.keys(table)) {
    const variable = variableOf(name)
    const value = environment[variable]
    // An empty variable is how shells and containers say "not set".
    if (value !== undefined && value !== '') values.set(name, { value, where: variable })
  }
  return values
}

function readFile(file: string, allowed: readonly string[], problems: string[]): Source {
  const values = new Map<string, Written>()
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    problems.push(`--config ${file}: ${error instanceof Error ? error.message : String(error)}`)
    return values
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    problems.push(`--config ${file}: expected a JSON object`)
    return values
  }
  for (const [name, value] of Object.entries(content)) {
    if (allowed.includes(name)) values.set(name, { value, where: `${name} in ${file}` })
    else problems.push(`${name} in ${file}: no such setting${suggestion(name, allowed)}`)
  }
  return values
}

function problemOf(written: Written | undefined, expected: string): string {
  if (written === undefined) return expected
  // An address may hold a password.
  const received = JSON.stringify(written.value).replace(/\/\/[^/@"]*@/, '//…@')
  return `${written.where}: ${expected}, received ${received}`
}

const none: Source = new Map()
const stringOption = { type: 'string' } as const
const switchOption = { type: 'boolean' } as const

export const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const variableOf = (name: string): string =>
  `SYNOPTIC_${flagOf(name).replaceAll('-', '_').toUpperCase()}`
