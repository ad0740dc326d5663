/**
 * The server under loads below and above its capacity: half of it, four fifths and twice of it. Capacity is
 * measured right before each load, by clients that wait for their responses. Requests then come at a
 * constant rate, so latency is what clients of that load see. The load shares the CPUs with the server, so
 * compare only figures of one run. A bare node:http server under the highest load is the baseline. What the
 * host disturbed is measured again, see quietest.ts.
 */
import { writeFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { percentile } from './http-client.js'
import { withServers, type Server, type Servers } from './http-servers.js'
import { plotLoad } from './load-plot.js'
import type { Outcomes } from './open-loop.js'
import { type OpenLoopProcess, startOpenLoopProcess } from './open-loop-process.js'
import { describeStolen, quietest } from './quietest.js'
import { describeTarget as line } from './target.js'
import { timeWorkerDeath } from './worker-death.js'

const path = '/searchmodel/anime'
const json = { 'content-type': 'application/json' }
const shares = [0.5, 0.8, 2]
const seconds = Number(process.env.SYNOPTIC_BENCH_SECONDS ?? 4)
/** For the warm-up before a load and for its capacity. */
const briefSeconds = Math.min(seconds, 2)
const connections = 32
/** File of the plot; none is drawn where this is not set. */
const plotFile = process.env.SYNOPTIC_BENCH_PLOT

export const trial = {
  words: ['load', 'http-load', 'server'],
  summary:
    'Latency and refusals at constant rates below and above capacity; the death of a worker.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  await withServers([], print, async (servers) => {
    const openLoops = startOpenLoopProcess()
    const loads = await compareLoads(print, servers, openLoops).finally(() => openLoops.end())
    const emptyMs = await timeWorkerDeath(print, servers)
    describeTargets(loads, emptyMs).forEach(print)
    if (plotFile === undefined) return
    const curves = Array.from(loads, ([share, outcomes]) => {
      return { name: `${share * 100}% load`, times: timesOf(outcomes, 200) }
    })
    writeFileSync(
      plotFile,
      plotLoad(curves, 'Latency of admitted requests by percentile, at a constant rate'),
    )
    print(`plot: ${plotFile}`)
  })
}

/** Prints a row a load and one of the bare server under the highest. Returns ours by share of capacity. */
async function compareLoads(
  print: (line: string) => void,
  { ours, bare, questions }: Servers,
  openLoops: OpenLoopProcess,
): Promise<Map<number, Outcomes>> {
  const load = { path, bodies: questions, seconds }
  const warm = { ...load, seconds: briefSeconds }
  const expected = await closedLoop(ours, path, questions)
  print(
    'load   capacity  offered/s  admitted/s  p50 ms  p99 ms  p99.9 ms  most ms  refused  p99 ms  most ms  errors  stolen',
  )
  const loads = new Map<number, Outcomes>()
  let maxPerSecond = 0
  for (const share of shares) {
    const { origin } = ours
    await openLoops.run({ ...warm, origin, ratePerSecond: expected * share })
    const { value, stolen } = await quietest(async () => {
      // The speed of a virtual machine changes from minute to minute, by half and more.
      const capacity = await closedLoop(ours, path, questions)
      const ratePerSecond = capacity * share
      const outcomes = await openLoops.run({ ...load, origin, ratePerSecond })
      return { capacity, ratePerSecond, outcomes }
    })
    print(rowOf({ name: `${share * 100}%`, ...value, stolen }))
    loads.set(share, value.outcomes)
    maxPerSecond = Math.max(maxPerSecond, value.ratePerSecond)
  }
  // The baseline: even an empty server stalls when the host takes the processors of a virtual machine.
  const { origin } = bare
  await openLoops.run({ ...warm, origin, ratePerSecond: maxPerSecond })
  const { value: outcomes, stolen } = await quietest(() =>
    openLoops.run({ ...load, origin, ratePerSecond: maxPerSecond }),
  )
  print(rowOf({ name: 'bare', ratePerSecond: maxPerSecond, outcomes, stolen }))
  return loads
}

/** Requests a second of clients that each wait for their response. */
async function closedLoop(
  { origin }: Server,
  path: string,
  bodies: readonly string[],
): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url: origin + path,
    connections,
    duration: briefSeconds,
    requests: bodies.map((body) => ({ method: 'POST', headers: json, body })),
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals and ${errors} errors at capacity`)
  return requests.average
}

interface Measured {
  readonly name: string
  /** Requests a second of clients that wait. */
  readonly capacity?: number
  readonly ratePerSecond: number
  readonly outcomes: Outcomes
  readonly stolen: number
}

function rowOf({ name, capacity, ratePerSecond, outcomes, stolen }: Measured): string {
  const admitted = timesOf(outcomes, 200)
  const refused = timesOf(outcomes, 503)
  const errors = outcomes.times.length - admitted.length - refused.length
  return [
    name.padEnd(6),
    (capacity?.toFixed(0) ?? '-').padStart(9),
    ratePerSecond.toFixed(0).padStart(10),
    (admitted.length / seconds).toFixed(0).padStart(11),
    at(admitted, 0.5).padStart(8),
    at(admitted, 0.99).padStart(8),
    at(admitted, 0.999).padStart(10),
    at(admitted, 1).padStart(9),
    String(refused.length).padStart(9),
    at(refused, 0.99).padStart(8),
    at(refused, 1).padStart(9),
    String(errors).padStart(8),
    describeStolen(stolen).padStart(8),
  ].join('')
}

function describeTargets(loads: ReadonlyMap<number, Outcomes>, emptyMs: number): string[] {
  const [high, over] = [loads.get(0.8), loads.get(2)]
  if (high === undefined || over === undefined) return []
  const slower = percentile(timesOf(over, 200), 0.99) / percentile(timesOf(high, 200), 0.99)
  return [
    line('p99 of those admitted, 200% / 80% load', slower, 'at most', 3),
    line('refusals at 200% load, p99 ms', percentile(timesOf(over, 503), 0.99), 'at most', 50),
    line('longest time without a killed worker, s', emptyMs / 1000, 'at most', 2),
  ]
}

const timesOf = ({ statuses, times }: Outcomes, wanted: number): Float64Array =>
  times.filter((_, i) => statuses[i] === wanted).sort()

const at = (times: Float64Array, share: number): string =>
  times.length === 0 ? '-' : percentile(times, share).toFixed(2)
