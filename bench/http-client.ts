/** A client that sends one request after the other. */
import { request, type Agent } from 'node:http'

export interface Timed {
  readonly ms: number
  /** Milliseconds by name, from Server-Timing. */
  readonly phases: Readonly<Record<string, number>>
}

/** A JSON POST, or a GET where there is no body. */
export function timeRequest(agent: Agent, url: string, body?: string): Promise<Timed> {
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const headers =
      body === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const method = body === undefined ? 'GET' : 'POST'
    const outgoing = request(url, { method, agent, headers }, (incoming) => {
      incoming.resume()
      incoming.on('end', () => {
        const ms = performance.now() - start
        if (incoming.statusCode !== 200) reject(new Error(`status ${incoming.statusCode}`))
        resolve({ ms, phases: phasesOf(String(incoming.headers['server-timing'] ?? '')) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

export async function timeRequests(
  agent: Agent,
  url: string,
  bodies: readonly string[],
  count: number,
): Promise<Timed[]> {
  const timed: Timed[] = []
  for (let i = 0; i < count; i++) {
    timed.push(await timeRequest(agent, url, bodies[i % bodies.length] ?? ''))
  }
  return timed
}

/** The time within which that share of them was done. */
export function percentile(times: Iterable<number>, share: number): number {
  const sorted = [...times].sort((one, other) => one - other)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? NaN
}

export function percentiles(times: readonly number[]): string {
  const at = (share: number) => percentile(times, share).toFixed(3)
  return `p50 ${at(0.5)} ms, p90 ${at(0.9)}, p99 ${at(0.99)}`
}

/** Milliseconds by name, from a value of Server-Timing. */
const phasesOf = (timing: string): Record<string, number> =>
  Object.fromEntries(
    [...timing.matchAll(/(\w+);dur=([\d.]+)/g)].map(([, name = '', ms]) => [name, Number(ms)]),
  )
