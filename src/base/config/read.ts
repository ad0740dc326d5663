/** Reads settings from flags, environment and configuration file. Reports all problems at once. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import type { SettingsOf, SettingsTable } from './settings.js'
import type { Setting } from './setting.js'
import { SettingsError } from '../errors/index.js'
import { suggestion } from '../util/suggest.js'
import { systemReason } from '../util/system-reason.js'

/** A value as the user wrote it, and its source: `--port`, `SYNOPTIC_PORT`, `port in synoptic.json`. */
interface Written {
  readonly value: unknown
  readonly where: string
}
type Source = ReadonlyMap<string, Written>

export interface ReadSettings<Table extends SettingsTable> {
  readonly settings: SettingsOf<Table>
  /** The other words, in order, for the command itself. */
  readonly rest: readonly string[]
}

/**
 * Precedence: flag, environment variable, configuration file (`--config` or SYNOPTIC_CONFIG), default.
 * @param allowed keys that the configuration file may hold, which may be more than this command's settings
 * @param onlySettings whether any other word is a problem
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
  if (flags.has('config') && file === '') problems.push('--config: expected a file name')
  const settings: Record<string, unknown> = {}
  const given = (name: string) => sources.find((source) => source.has(name))?.get(name)
  for (const [name, setting] of Object.entries(table)) {
    const written = given(name)
    const value = written === undefined ? defaultOf(setting, table, given) : written.value
    const checked = v.safeParse(setting.schema, value)
    if (checked.success) settings[name] = checked.output
    else problems.push(problemOf(written, checked.issues[0].message))
  }
  if (problems.length > 0) throw new SettingsError(problems)
  return { settings: settings as SettingsOf<Table>, rest }
}

/** The default of a setting that is not given: where another setting that is given puts it, else its own. */
function defaultOf(
  { default: own, within = [] }: Setting<unknown>,
  table: SettingsTable,
  given: (name: string) => Written | undefined,
): unknown {
  for (const { setting, path, ifPresent = false } of within) {
    const folder = given(setting)?.value
    const usual = table[setting]?.default
    // The usual folder under its own name moves nothing.
    if (typeof folder !== 'string' || folder === '') continue
    if (typeof usual === 'string' && usual !== '' && resolve(folder) === resolve(usual)) continue
    if (!ifPresent || existsSync(join(folder, path))) return join(folder, path)
  }
  return own
}

/** Takes the flags of the table; `rest` gets every other word. */
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

/** Reports unknown flags only, if there are any: the words behind them may be their values. */
function refusals(table: SettingsTable, rest: readonly string[]): string[] {
  const flags = [...Object.keys(table), 'config'].map((name) => `--${flagOf(name)}`)
  const unknown = rest
    .filter((word) => word.startsWith('-'))
    .map((word) => word.split('=')[0] ?? '')
  if (unknown.length === 0) return rest.map((word) => `unexpected word ${JSON.stringify(word)}`)
  return unknown.map((flag) => `unknown option ${flag}${suggestion(flag, flags)}`)
}

function readEnvironment(
  table: SettingsTable,
  environment: Readonly<Record<string, string | undefined>>,
): Source {
  const values = new Map<string, Written>()
  for (const name of Object.keys(table)) {
    const variable = variableOf(name)
    const value = environment[variable]
    // Shells and containers set an empty variable to mean "not set".
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
    problems.push(`--config ${file}: ${systemReason(error)}`)
    return values
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    problems.push(`--config ${file}: expected a JSON object`)
    return values
  }
  for (const [name, value] of Object.entries(content)) {
    if (allowed.includes(name)) values.set(name, { value, where: `${name} in ${file}` })
    else problems.push(`${name} in ${file}: unknown setting${suggestion(name, allowed)}`)
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
