/**
 * The command line: finds the command, reads its settings, runs it, and returns the exit status: 0 for success,
 * 1 for a failure, 2 for a wrong command line or setting.
 */
import cluster from 'node:cluster'
import { commands, type CommandEntry } from './command-table.js'
import { commonSettings, settingNames } from '../base/config/settings.js'
import { settingsHelp } from '../base/config/help.js'
import { readSettings } from '../base/config/read.js'
import { describeUnknownVariables } from '../base/config/unknown-variables.js'
import { SettingsError } from '../base/errors/index.js'
import { suggestion } from '../base/util/suggest.js'
import { runnable } from '../base/util/runnable.js'
import { systemMessage } from '../base/util/system-reason.js'
import { version } from '../base/util/version.js'
import { printError } from './print.js'

/** What people type who know other programs. */
const usualWords: ReadonlyMap<string, string> = new Map([
  ['import', 'data import'],
  ['update', 'data update'],
  ['export', 'data export'],
  ['merge', 'data merge'],
  ['init', 'data init'],
  ['list', 'data list'],
  ['start', 'serve'],
  ['run', 'serve'],
  ['server', 'serve'],
  ['find', 'search'],
  ['query', 'search'],
  ['version', '--version'],
  ['pull', 'models pull'],
  ['download', 'models pull'],
  ['build', 'embed build'],
])

/** @param words what follows the name of the program */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    return await run(words)
  } catch (error) {
    return report(error)
  }
}

async function run(words: readonly string[]): Promise<number> {
  const [first] = words
  if (first === '--version' || first === '-v') return print(version)
  if (first === undefined || first === '--help' || first === '-h') {
    return print(await overview([...commands.values()]))
  }
  if (first === 'help') return run([...words.slice(1), '--help'])
  const group = groupOf(first)
  if (group.length > 0 && wantsHelp(words.slice(1, 2))) {
    return print(await overview(group.map(([, entry]) => entry)))
  }
  const name = commandName(words)
  const entry = commands.get(name)
  if (entry === undefined) throw new SettingsError([`unknown command: ${name}`])
  const argv = words.slice(name.split(' ').length)
  const command = await entry.load()
  if (wantsHelp(argv)) return print(`${command.help}\n\n${flagsHelp(entry)}`)
  const { settings, rest } = readSettings(
    entry.settings,
    argv,
    process.env,
    settingNames,
    entry.onlySettings,
  )
  // A worker has the environment of its primary, which has said so.
  if (cluster.isPrimary) {
    for (const line of describeUnknownVariables(process.env)) printError(`warning: ${line}\n`)
  }
  return command.run(rest, settings as Parameters<typeof command.run>[1])
}

/** The name of the command that the words begin with. @throws SettingsError if there is none */
function commandName(words: readonly string[]): string {
  const flag = words.findIndex((word) => word.startsWith('-'))
  const [first = '', second = ''] = flag === -1 ? words : words.slice(0, flag)
  const name = [`${first} ${second}`, first].find((name) => commands.has(name))
  if (name !== undefined) return name

  const group = groupOf(first)
  if (group.length === 0) {
    const usual = usualWords.get(first)
    const nearest =
      usual === undefined
        ? suggestion(`${first} ${second}`.trim(), [...commands.keys()])
        : `; did you mean ${usual}?`
    throw new SettingsError([`unknown command: ${first || String(words[0])}${nearest}`])
  }
  const rest = group.map(([name]) => name.slice(first.length + 1))
  const received = second === '' ? 'nothing' : `${second}${suggestion(second, rest)}`
  const expected = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(rest)
  throw new SettingsError([`${first}: expected ${expected}, received ${received}`])
}

/** The commands that begin with a word and have a second one, such as those of `models`. */
function groupOf(word: string): [string, CommandEntry][] {
  return [...commands].filter(([name]) => name.startsWith(`${word} `))
}

function wantsHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const flags = argv.slice(0, end === -1 ? undefined : end)
  return flags.includes('--help') || flags.includes('-h')
}

function flagsHelp({ settings, onlySettings }: CommandEntry): string {
  // The own help of a command lists its own options, unless all of them are settings.
  return onlySettings === true
    ? `Settings:\n${settingsHelp(settings)}`
    : `Settings of every command:\n${settingsHelp(commonSettings)}`
}

async function overview(entries: readonly CommandEntry[]): Promise<string> {
  const all = await Promise.all(entries.map(({ load }) => load()))
  const width = Math.max(...all.map(({ name }) => name.length)) + 2
  return `Synoptic ${version}: describe a plot in your own words and get the best-matching anime or manga.

Usage: synoptic <command> [options]

${all.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`).join('\n')}

synoptic <command> --help describes a command; --version prints the version.`
}

function print(text: string): number {
  process.stdout.write(`${runnable(text)}\n`)
  return 0
}

function report(error: unknown): number {
  if (error instanceof SettingsError) {
    for (const problem of error.problems) printError(`error: ${problem}\n`)
    return 2
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  // Our own errors and those of the system say what to do. Any other error is a bug: print its stack.
  const isForeseen = error instanceof Error && (Object.hasOwn(error, 'name') || 'code' in error)
  printError(`error: ${isForeseen ? systemMessage(error) : (stack ?? message)}\n`)
  const own = error instanceof Error && 'remedy' in error ? error.remedy : undefined
  const remedy = typeof own === 'string' ? own : message
  if (!message.includes(remedy)) printError(`To fix it, run: ${remedy}\n`)
  return 1
}
