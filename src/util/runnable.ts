/**
 * Commands in messages, so that they run as printed: the program by the name that the user called it by, with
 * the folders that he named.
 */
import { basename, dirname, join, relative, resolve } from 'node:path'

export interface Invocation {
  /** As Node has it: the script, then the words of the user. */
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

const command =
  /(?<!Usage: )\bsynoptic ((?:data|embed|models|gpu|anilist|keys) [a-z]+|eval|mcp|serve)\b/g
/** Settings that a command has to share with the one that names it. */
const shared = /^--(?:data-dir|embeddings-dir|models-dir|api-keys|config)(=|$)/

/** Returns the text with its commands as this user has to write them. */
export function runnable(text: string, invocation: Invocation = thisProcess()): string {
  const program = programOf(invocation)
  if (program === undefined) return text
  const flags = sharedFlags(invocation.argv).map((flag) => ` ${flag}`)
  return text.replaceAll(command, (_, name: string) => `${program} ${name}${flags.join('')}`)
}

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
  return quoted(whole.length < path.length ? whole : path)
}

function sharedFlags(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const [, equals] = shared.exec(word) ?? []
    if (equals === undefined) return []
    return equals === '=' ? [quoted(word)] : [word, quoted(words[at + 1] ?? '')]
  })
}

const quoted = (word: string) =>
  /^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
