/** Clients that send requests again and again until they are stopped. */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { deathNote } from './child.js'

export interface Load {
  /** How often each outcome came: a status, or the kind of failure. */
  readonly outcomes: Map<string, number>
  /** Answers what came of it all. */
  stop(): Promise<Record<string, number>>
}

/** A client's request. */
export interface Question {
  readonly path: string
  readonly body: object
}

const similar: Question = { path: '/searchmodel/anime', body: deathNote }

/**
 * Each client waits a moment before its next request, so that the server has time for more than these. It has one
 * connection, and a new one where that breaks: what becomes of a connection costs one client one request. Connections of
 * a common pool, as fetch has, are more than its clients.
 */
export function startLoad(
  origin: string,
  clients = 4,
  { question = similar, pauseMs = 5 }: { question?: Question; pauseMs?: number } = {},
): Load {
  const outcomes = new Map<string, number>()
  let isOver = false
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  async function client(): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver) {
      await ask(origin, question, agent).then(
        (status) => count(String(status)),
        (error: unknown) => count(kindOf(error)),
      )
      await sleep(pauseMs)
    }
    agent.destroy()
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    outcomes,
    async stop() {
      isOver = true
      await running
      return Object.fromEntries(outcomes)
    },
  }
}

/** The status of an answer that came whole. */
function ask(origin: string, { path, body }: Question, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    request(`${origin}${path}`, { method: 'POST', agent, headers }, (answer) => {
      answer.on('error', reject).on('end', () => resolve(answer.statusCode ?? 0))
      answer.resume()
    })
      .on('error', reject)
      .end(JSON.stringify(body))
  })
}

const kindOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

/** Looks often at first, then more seldom: what takes long is not to wait for the processor that looks. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  timeoutMs = 280_000,
): Promise<void> {
  const begun = performance.now()
  while (!(await isSo())) {
    const waited = performance.now() - begun
    if (waited > timeoutMs) throw new Error(`not within ${timeoutMs} ms: ${isSo.toString()}`)
    await sleep(Math.min(100, 10 + waited / 10))
  }
}
