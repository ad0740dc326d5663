/** What a search of many works costs: processor, memory, garbage and starts, and bm25 of tantivy for comparison. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cpuMsOf } from './cpu-time.js'
import { percentile } from './http-client.js'
import type { Server } from './http-servers.js'

export interface Started extends Server {
  /** Its working directory. */
  readonly folder: string
  /** From its start until it has searched once and printed its address. */
  readonly readyMs: number
  /** Of the first search after it. */
  readonly firstMs: number
}

interface Version {
  readonly name: string
  readonly server: Started
}

interface Bodies {
  readonly name: string
  readonly bodies: readonly string[]
}

/** Returns the milliseconds of each. */
type AskAll = (
  server: Started,
  bodies: readonly string[],
  clients: number,
) => Promise<readonly number[]>

const rounds = 3
const clients = 32
const megabyte = 1024 * 1024

/** Of Node, so that the server counts what it collects. */
export const garbageFlags: readonly string[] = [
  '--import',
  fileURLToPath(new URL('garbage-process.js', import.meta.url)),
]

/** Searches with all versions in turns, of one client and of many. */
export async function printCosts(
  print: (line: string) => void,
  versions: readonly Version[],
  kinds: readonly Bodies[],
  askAll: AskAll,
): Promise<void> {
  const measured = versions.map(() =>
    kinds.map(() => ({ cpuMs: 0, ms: 0, count: 0, single: [] as number[] })),
  )
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, { bodies }] of kinds.entries()) {
      for (const [version, { server }] of versions.entries()) {
        const sum = measured[version]?.[kind]
        if (sum === undefined) continue
        sum.single.push(...(await askAll(server, bodies, 1)))
        const [cpuBefore, start] = [cpuMsOf(server) ?? NaN, performance.now()]
        await askAll(server, bodies, clients)
        sum.cpuMs += (cpuMsOf(server) ?? NaN) - cpuBefore
        sum.ms += performance.now() - start
        sum.count += bodies.length
      }
    }
  }
  const all = kinds.flatMap(({ bodies }) => bodies)
  for (const [version, { name, server }] of versions.entries()) {
    print(`    ${name}`)
    for (const [kind, { name }] of kinds.entries()) {
      const { cpuMs, ms, count, single } = measured[version]?.[kind] ?? {
        ...{ cpuMs: NaN, ms: NaN, count: 1, single: [] },
      }
      const rate = `${(count / (ms / 1000)).toFixed(0)} requests/s of ${clients} clients`
      const p50 = `p50 ${percentile(single, 0.5).toFixed(1)} ms of one`
      print(`      ${name}: ${rate}, ${(cpuMs / count).toFixed(1)} ms of CPU each; ${p50}`)
    }
    const bytes = await garbageOf(server, () => askAll(server, all, clients))
    print(`      garbage per search ${(bytes / all.length / 1024).toFixed(0)} kB in V8's heap`)
    const ready = `ready ${(server.readyMs / 1000).toFixed(1)} s after a warm start`
    const memory = `${privateMegabytes(server).toFixed(0)} MB private memory`
    print(`      ${memory}; ${ready}, first search ${server.firstMs.toFixed(0)} ms`)
  }
}

/** Bytes that the collector frees meanwhile. */
async function garbageOf({ pid, folder }: Started, work: () => Promise<unknown>): Promise<number> {
  const file = join(folder, 'garbage.json')
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  await wait(100)
  await work()
  process.kill(pid, 'SIGUSR2')
  for (let tries = 0; tries < 100 && !existsSync(file); tries += 1) await wait(100)
  const { bytes } = JSON.parse(readFileSync(file, 'utf8')) as { readonly bytes: number }
  return bytes
}

/** What a process shares with no other; only Linux counts it. */
function privateMegabytes({ pid }: Server): number {
  try {
    const [, kilobytes] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return (Number(kilobytes) * 1024) / megabyte
  } catch {
    return NaN
  }
}

/** bm25 of tantivy on one thread, where SYNOPTIC_BENCH_PYTHON has it. */
export function tantivyLines(works: string, queries: readonly string[]): readonly string[] {
  const python = process.env.SYNOPTIC_BENCH_PYTHON
  if (python === undefined)
    return ['    tantivy: SYNOPTIC_BENCH_PYTHON names no Python that has it']
  const script = fileURLToPath(new URL('../../bench/tantivy_baseline.py', import.meta.url))
  const input = queries.map((query) => JSON.stringify(query)).join('\n')
  const { stdout, stderr, status } = spawnSync(python, [script, works], { input, encoding: 'utf8' })
  return status === 0
    ? [`    ${stdout.trim()}`]
    : [`    tantivy: ${stderr.trim().split('\n').at(-1)}`]
}
