/**
 * Commands in messages, so that they run as printed: the program by the name that the user called it by, with
 * the folders that he named, and files of the program by their path.
 */
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Invocation {
  /** As Node has it: the script, then the words of the user. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

const command =
  /(?<!Usage: )\bsynoptic ((?:data|embed|models|gpu|index|anilist|keys) [a-z]+|backup|restore|compile|eval|mcp|search|serve)\b([^`\n;]*)/g
/** The program's name in the usage lines of a help text. */
const usage = /(?<=Usage: )synoptic\b|\bsynoptic(?= <command>)/g
/** Settings that a command has to share with the one that names it. */
const shared = ['home', 'data-dir', 'embeddings-dir', 'models-dir', 'api-keys', 'config'] as const
const flag = new RegExp(`^--(${shared.join('|')})(=|$)`)
/** Mappings that ship with the program. */
const shipped = /(?<= )data\/(?:works|sources)\/[a-z0-9-]+\.json\b/g
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Returns the text with its commands as this user has to write them. */
export function runnable(text: string, invocation: Invocation = thisProcess()): string {
  const program = programOf(invocation)
  if (program === undefined) return text
  const flags = sharedFlags(invocation).map((flag) => ` ${flag}`)
  const atHome = (file: string) => pathFrom(invocation.cwd, join(root, file))
  return text
    .replaceAll(command, (_, name: string, rest: string) => {
      return `${program} ${name}${flags.join('')}${rest.replaceAll(shipped, atHome)}`
    })
    .replaceAll(usage, () => program)
}

/** Returns a word as a POSIX shell takes it for one. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const thisProcess = (): Invocation => ({
  argv: process.argv.slice(1),
  env: process.env,
  cwd: process.cwd(),
})

/** Undefined where the script of `dist` is called directly, as tests do. */
function programOf({ argv: [script = ''], env, cwd }: Invocation): string | undefined {
  if (basename(script) === 'cli.js') {
    const isStarted = env.npm_lifecycle_event === 'start'
    return isStarted ? pathFrom(cwd, join(dirname(script), '..', 'synoptic')) : undefined
  }
  const name = basename(script, '.cmd')
  if (name !== 'synoptic') return undefined
  const folder = resolve(dirname(script))
  if (/[\\/]node_modules[\\/]\.bin$/.test(folder)) return 'npx synoptic'
  const isOnPath = (env.PATH ?? '').split(process.platform === 'win32' ? ';' : ':').includes(folder)
  return isOnPath ? 'synoptic' : pathFrom(cwd, script)
}

/** A relative path that a shell takes for one, or the whole path where that is shorter. */
function pathFrom(cwd: string, file: string): string {
  const near = relative(cwd, resolve(cwd, file))
  const path = near.startsWith('..') ? near : `./${near}`
  const whole = resolve(cwd, file)
  return shellWord(whole.length < path.length ? whole : path)
}

/** Of the command line, else of the environment: a command that is pasted elsewhere does not have that. */
function sharedFlags({ argv, env }: Invocation): string[] {
  const named = new Set<string>()
  const written = argv.flatMap((word, at) => {
    const [, name, equals] = flag.exec(word) ?? []
    if (name === undefined) return []
    named.add(name)
    return equals === '=' ? [shellWord(word)] : [word, shellWord(argv[at + 1] ?? '')]
  })
  const set = shared.flatMap((name) => {
    const value = env[`SYNOPTIC_${name.replace('-', '_').toUpperCase()}`] ?? ''
    return value === '' || named.has(name) ? [] : [`--${name}`, shellWord(value)]
  })
  return [...written, ...set]
}
