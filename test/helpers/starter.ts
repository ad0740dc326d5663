/**
 * Part of test/global-setup.ts: starts what the test files of a run share, when the first of them needs it, and ends
 * it after the run. Files ask it by HTTP (shared.ts), because each has a process of its own.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A program that prints its address once it is ready, or a Chromium. */
type Shared =
  | { readonly kind: 'program'; readonly args: readonly string[]; readonly cwd: string }
  | { readonly kind: 'chromium'; readonly path: string; readonly args: readonly string[] }

export interface SharedRequest {
  readonly name: string
  readonly what: Shared
}

export interface Starter {
  readonly url: string
  close(): Promise<void>
}

type Environment = Readonly<Partial<Record<string, string>>>

interface Started {
  readonly address: string
  stop(): Promise<void>
}

/** @param environment what programs are started with, next to PATH: this process lacks what vitest.config.js sets */
export async function openStarter(environment: Environment): Promise<Starter> {
  const started = new Map<string, Promise<Started>>()
  async function answer(request: IncomingMessage): Promise<string> {
    const { name, what } = (await json(request)) as SharedRequest
    const start = () =>
      what.kind === 'program' ? startProgram(what, environment) : startChromium(what)
    const known = started.get(name) ?? start()
    started.set(name, known)
    return (await known).address
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (address) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.close()
      const all = await Promise.allSettled(started.values())
      await Promise.all(
        all.flatMap((one) => (one.status === 'fulfilled' ? [one.value.stop()] : [])),
      )
    },
  }
}

async function startProgram(
  { args, cwd }: Shared & { kind: 'program' },
  environment: Environment,
): Promise<Started> {
  const env = { PATH: process.env.PATH, ...environment }
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  return {
    address: await addressOf(child),
    async stop() {
      process.off('exit', kill)
      const closed = once(child, 'close')
      if (child.exitCode === null && child.signalCode === null && child.kill()) await closed
    },
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let complaints = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [, address] = /is ready at (http:\S+)[^]*\n {2}curl .*\n$/.exec(output) ?? []
      if (address !== undefined) resolve(address)
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaints += text))
    child.once('close', () => reject(new Error(complaints)))
  })
}

async function startChromium({ path, args }: Shared & { kind: 'chromium' }): Promise<Started> {
  const { chromium } = await import('playwright-core')
  const server = await chromium.launchServer({ executablePath: path, args: [...args], timeout: 0 })
  return { address: server.wsEndpoint(), stop: () => server.close() }
}
