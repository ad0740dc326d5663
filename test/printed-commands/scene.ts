/**
 * What the program prints, run as a user runs it: in a folder of its own, by a shell. Words in capitals are replaced by what
 * only the user knows. Downloads come from a hub on loopback.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type TestHub, startHub } from '../helpers/hub.js'
import { makeOnce } from '../helpers/made-once.js'
import { program } from '../helpers/run-cli.js'

/** The folders are those of the user, not the default ones, and need quotes. */
export const folders = "--data-dir 'my data' --embeddings-dir vectors --models-dir models"
export const scratch = mkdtempSync(join(tmpdir(), 'synoptic-printed-'))
export let hub: TestHub
let home = ''
let homes = 0
/** In the folder of the test. */
export const at = (...names: string[]) => join(home, ...names)

export interface Ran {
  readonly code: number | null
  readonly text: string
}

/** As a shell of the user runs it: asynchronously, because the hub is in this process. No import waits for works to join. */
export async function shell(
  line: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const child = spawn('sh', ['-c', line], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      HF_ENDPOINT: hub.endpoint,
      SYNOPTIC_WORKS: 'off',
      ...env,
    },
  })
  let text = ''
  const onText = (piece: string) => (text += piece)
  child.stdout.setEncoding('utf8').on('data', onText)
  child.stderr.setEncoding('utf8').on('data', onText)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, text }
}

export const call = (words: string, settings = folders) =>
  shell(`'${program}' ${words} ${settings}`)

/** Starts a server by a line of a shell; resolves once it is ready. */
export async function startServer(line: string) {
  const child = spawn('sh', ['-c', `exec ${line}`], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
  })
  const closed = once(child, 'close')
  const output = { text: '' }
  const onText = (piece: string) => (output.text += piece)
  child.stdout.setEncoding('utf8').on('data', onText)
  child.stderr.setEncoding('utf8').on('data', onText)
  const said = async (what: RegExp) => {
    while (!what.test(output.text)) {
      if (child.exitCode !== null) throw new Error(output.text)
      await sleep(20)
    }
    return output.text
  }
  await said(/is ready at [^]*\n {2}curl .*\n/)
  return {
    child,
    said,
    async stop() {
      child.kill('SIGTERM')
      const [code] = (await closed) as [number | null]
      return code
    },
  }
}

const placeholders = /(?<= )(?:FILE|FOLDER|NAME)(?= |$)/g

/** The commands of a text as they stand there, with the words that only the user knows put in. */
export function commandsIn(text: string, known: Readonly<Record<string, string>> = {}): string[] {
  const line =
    /(?:npx |(?:[./]|'[./])[^\s"`]*\/|(?<=[\s`]))synoptic'? (?:data|embed|models|eval|serve)\b[^`\n;"]*/g
  return [...new Set([...text.replaceAll('\\n', '\n').matchAll(line)].map(([found]) => found))].map(
    (found) => found.replaceAll(placeholders, (name) => known[name] ?? name),
  )
}

/** Runs what a text tells, and returns what came of it. */
export async function follow(
  text: string,
  known?: Readonly<Record<string, string>>,
): Promise<Ran[]> {
  const commands = commandsIn(text, known)
  expect(commands, text).not.toEqual([])
  const ran: Ran[] = []
  for (const command of commands) {
    const result = await shell(command)
    expect(result.code, `${command}\n${result.text}`).toBe(0)
    ran.push(result)
  }
  return ran
}

export const story =
  'A keeper of a lighthouse finds a bottle with a letter that she wrote when she was a child.'
export const csv = (rows: number) =>
  ['id,title,type,genres,year,synopsis']
    .concat(
      Array.from({ length: rows }, (_, i) => `${i + 1},Tide ${i},tv,Drama,2001,${story} ${i}.`),
    )
    .join('\n')

/** A catalogue of thirty works with its embeddings. */
async function prepare(folder: string): Promise<void> {
  mkdirSync(folder)
  home = folder
  writeFileSync(at('mine.csv'), csv(30))
  for (const words of ['data init mine.csv', 'data import mine.json', 'embed build']) {
    const { code, text } = await call(words)
    expect(code, text).toBe(0)
  }
}

let ready = ''
beforeAll(async () => {
  hub = await startHub()
  ready = await makeOnce('printed', prepare)
})
afterAll(async () => {
  await hub.close()
  rmSync(scratch, { recursive: true })
})
beforeEach(() => {
  home = join(scratch, `home ${homes++}`)
  cpSync(ready, home, { recursive: true })
})

export const patient = { timeout: 240_000 }
/** By day a few run. */
export const nightly = { ...patient, tags: ['nightly'] }

/** The requests of a banner, which all find something. */
export async function askAll(text: string): Promise<void> {
  const requests = [...text.matchAll(/^ {2}(curl .*)$/gm)].map(([, line = '']) => line)
  expect(requests).toHaveLength(2)
  for (const request of requests) {
    const answer = await shell(`${request} -sf`)
    expect(answer.code, request).toBe(0)
    expect(answer.text).toMatch(/"results":\[\{/)
  }
}
