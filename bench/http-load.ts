/**
 * The server under loads that it can and cannot answer: half, four fifths and twice of what it is able to.
 * That is measured right before each load, by clients who wait for their answers. Requests then
 * come at a constant rate, so latency is what clients of that load would see. The load shares
 * the CPUs with the server, so compare only what stands in one run; a bare node:http that answers the most
 * stands there, too. What the host disturbed is measured again, see quietest.ts.
 */
import { writeFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { percentile } from './http-client.js'
import { withServers, type Server, type Servers } from './http-servers.js'
import { plotLoad } from './load-plot.js'
import { runLoad } from './load-process.js'
import type { Outcomes } from './open-loop.js'
import { type OpenLoopProcess, startOpenLoopProcess } from './open-loop-process.js'
import { describeStolen, quietest } from './quietest.js'
import { describeTarget as line } from './target.js'
import { timeWorkerDeath } from './worker-death.js'

const path = '/searchmodel/anime'
const json = { 'content-type': 'application/json' }
const shares = [0.5, 0.8, 2]
const seconds = Number(process.env.SYNOPTIC_BENCH_SECONDS ?? 4)
/** Of what comes before a load: its own warm-up, in which rare code is compiled, and its capacity. */
const briefSeconds = Math.min(seconds, 2)
const connections = 32
/** How often the probe is compared; an odd number has a median. */
const probeTurns = 15
/** Where the plot goes; none is drawn unless it is named. */
const plotFile = process.env.SYNOPTIC_BENCH_PLOT

export const trial = {
  words: ['load', 'http-load', 'server'],
  summary:
    'Latency and refusals at constant rates below and above capacity; a probe; the death of a worker.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  await withServers([], print, async (servers) => {
    const openLoops = startOpenLoopProcess()
    const loads = await compareLoads(print, servers, openLoops).finally(() => openLoops.end())
    const probeRatio = await compareProbe(print, servers)
    const emptyMs = await timeWorkerDeath(print, servers)
    describeTargets(loads, probeRatio, emptyMs).forEach(print)
    if (plotFile === undefined) return
    const curves = Array.from(loads, ([share, outcomes]) => {
      return { name: `${share * 100}% load`, times: timesOf(outcomes, 200) }
    })
    writeFileSync(
      plotFile,
      plotLoad(curves, 'Latency of answered requests by percentile, at a constant rate'),
    )
    print(`plot: ${plotFile}`)
  })
}

/** A row a load, and one of the bare server under the highest; answers ours by share of capacity. */
async function compareLoads(
  print: (line: string) => void,
  { ours, bare, questions }: Servers,
  openLoops: OpenLoopProcess,
): Promise<Map<number, Outcomes>> {
  const load = { path, bodies: questions, seconds }
  const warm = { ...load, seconds: briefSeconds }
  const expected = await closedLoop(ours, path, questions)
  print(
    'load   capacity  offered/s  answered/s  p50 ms  p99 ms  p99.9 ms  most ms  refused  p99 ms  most ms  errors  stolen',
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
  // How fast anybody could say no here: the processors of a virtual machine are taken away at times.
  const { origin } = bare
  await openLoops.run({ ...warm, origin, ratePerSecond: maxPerSecond })
  const { value: outcomes, stolen } = await quietest(() =>
    openLoops.run({ ...load, origin, ratePerSecond: maxPerSecond }),
  )
  print(rowOf({ name: 'bare', ratePerSecond: maxPerSecond, outcomes, stolen }))
  return loads
}

/** Requests a second that clients get who ask again when they are answered. */
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
  /** Requests a second by clients who wait. */
  readonly capacity?: number
  readonly ratePerSecond: number
  readonly outcomes: Outcomes
  readonly stolen: number
}

function rowOf({ name, capacity, ratePerSecond, outcomes, stolen }: Measured): string {
  const answered = timesOf(outcomes, 200)
  const refused = timesOf(outcomes, 503)
  const errors = outcomes.times.length - answered.length - refused.length
  return [
    name.padEnd(6),
    (capacity?.toFixed(0) ?? '-').padStart(9),
    ratePerSecond.toFixed(0).padStart(10),
    (answered.length / seconds).toFixed(0).padStart(11),
    at(answered, 0.5).padStart(8),
    at(answered, 0.99).padStart(8),
    at(answered, 0.999).padStart(10),
    at(answered, 1).padStart(9),
    String(refused.length).padStart(9),
    at(refused, 0.99).padStart(8),
    at(refused, 1).padStart(9),
    String(errors).padStart(8),
    describeStolen(stolen).padStart(8),
  ].join('')
}

function describeTargets(
  loads: ReadonlyMap<number, Outcomes>,
  probeRatio: number,
  emptyMs: number,
): string[] {
  const [high, over] = [loads.get(0.8), loads.get(2)]
  if (high === undefined || over === undefined) return []
  const overhead = high.overheads.filter((ms) => !Number.isNaN(ms))
  const slower = percentile(timesOf(over, 200), 0.99) / percentile(timesOf(high, 200), 0.99)
  return [
    line('p99 of those admitted, 200% / 80% load', slower, 'at most', 3),
    line('longest refusal at 200% load, ms', percentile(timesOf(over, 503), 1), 'at most', 20),
    line('overhead of the server at 80% load, p50 ms', percentile(overhead, 0.5), 'at most', 0.5),
    line('overhead of the server at 80% load, p99 ms', percentile(overhead, 0.99), 'at most', 2),
    line('GET /livez / bare node:http', probeRatio, 'at least', 0.7),
    line('longest that the place of a worker was empty, s', emptyMs / 1000, 'at most', 2),
  ]
}

/** Answers ours to the bare one's, in turns: the median of the ratios. */
async function compareProbe(
  print: (line: string) => void,
  { ours, bare }: Servers,
): Promise<number> {
  const probe = async ({ origin }: Server) => {
    const options = { url: `${origin}/livez`, connections, duration: briefSeconds }
    return (await runLoad(options)).requests.average
  }
  await probe(ours)
  await probe(bare)
  const turns: { readonly server: number; readonly baseline: number }[] = []
  for (let turn = 0; turn < probeTurns; turn++) {
    turns.push({ server: await probe(ours), baseline: await probe(bare) })
  }
  const ratios = turns.map(({ server, baseline }) => server / baseline)
  const median = (figures: readonly number[]) => percentile(figures, 0.5)
  const server = median(turns.map(({ server }) => server))
  const baseline = median(turns.map(({ baseline }) => baseline))
  print(
    `GET /livez: ${server.toFixed(0)} requests/s; bare node:http ${baseline.toFixed(0)}; ` +
      `in turns, ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')} of it`,
  )
  return median(ratios)
}

const timesOf = ({ statuses, times }: Outcomes, wanted: number): Float64Array =>
  times.filter((_, i) => statuses[i] === wanted).sort()

const at = (times: Float64Array, share: number): string =>
  times.length === 0 ? '-' : percentile(times, share).toFixed(2)
