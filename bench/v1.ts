/**
 * POST /v1/embeddings with all-MiniLM-L6-v2, compared with infinity-emb, which serves the same network by ONNX
 * Runtime. Servers and clients share the CPUs, in turns, and no text is sent twice. Where other programs
 * work too, the processor time of a text says more than texts a second.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { Agent } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cpuMsOf } from './cpu-time.js'
import { timeRequest } from './http-client.js'
import { withServers } from './http-servers.js'
import { startInfinity } from './infinity-server.js'
import { describeTarget } from './target.js'

const models = resolve(process.env.SYNOPTIC_TEST_MODELS ?? '../shared/models')
const modelFolder = join(models, 'all-MiniLM-L6-v2')
const program = process.env.SYNOPTIC_BENCH_INFINITY
const rounds = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 3)
/** Of each measurement. */
const textCount = Number(process.env.SYNOPTIC_BENCH_TEXTS ?? 512)

const loads = [
  { clients: 1, batch: 1 },
  { clients: 8, batch: 1 },
  { clients: 64, batch: 1 },
  { clients: 1, batch: 32 },
  { clients: 8, batch: 32 },
]
type Load = (typeof loads)[number]

export const trial = {
  words: ['v1', 'embeddings'],
  summary: 'Texts a second of /v1/embeddings at 1, 8 and 64 clients, compared with infinity-emb.',
  run,
}

interface Target {
  readonly name: string
  readonly url: string
  readonly model: string
  readonly pid: number
}

async function run(print: (line: string) => void): Promise<void> {
  if (!existsSync(join(modelFolder, 'onnx', 'model.onnx'))) {
    print(`no model in ${modelFolder}; set SYNOPTIC_TEST_MODELS`)
    return
  }
  const scratch = mkdtempSync(join(tmpdir(), 'synoptic-bench-v1-'))
  const model = 'encoders/all-MiniLM-L6-v2'
  mkdirSync(join(scratch, 'models', 'encoders'), { recursive: true })
  symlinkSync(modelFolder, join(scratch, 'models', model))
  const settings = ['--models-dir', join(scratch, 'models'), '--query-cache', '0']
  const limits = ['--limit-concurrency', '256', '--request-timeout', '600']
  try {
    await withServers([...settings, ...limits], print, async ({ ours, questions }) => {
      const texts = textSource(questions)
      const own = { name: 'Synoptic', url: `${ours.origin}/v1/embeddings`, model, pid: ours.pid }
      if (program === undefined) print('no baseline; set SYNOPTIC_BENCH_INFINITY')
      const infinity =
        program === undefined
          ? undefined
          : await startInfinity(program, modelFolder, 'minilm', scratch)
      try {
        const url = `${infinity?.origin}/embeddings`
        const other = infinity && { name: 'infinity-emb', url, model: 'minilm', pid: infinity.pid }
        await compare(print, own, other, texts)
      } finally {
        infinity?.stop()
      }
    })
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

async function compare(
  print: (line: string) => void,
  own: Target,
  other: Target | undefined,
  texts: TextSource,
): Promise<void> {
  const targets = other === undefined ? [own] : [own, other]
  if (other !== undefined) print(`least cosine of both: ${await leastCosine(own, other, texts)}`)
  for (const target of targets) await measure(target, { clients: 8, batch: 8 }, texts)
  for (const load of loads) {
    const ratios: number[] = []
    const cpuRatios: number[] = []
    for (let round = 1; round <= rounds; round += 1) {
      // The first target of one round is the second in the next.
      const order = round % 2 === 1 ? targets : targets.toReversed()
      const rates = new Map<Target, Rate>()
      for (const target of order) rates.set(target, await measure(target, load, texts))
      const results = targets.map((target) => `${target.name} ${tell(rates.get(target))}`)
      const [first, second] = targets.map((target) => rates.get(target))
      if (first && second) {
        ratios.push(first.perSecond / second.perSecond)
        cpuRatios.push(second.cpuMs / first.cpuMs)
      }
      print(`${describe(load)}, ${round}: ${results.join('; ')}; load ${loadavg()[0]?.toFixed(1)}`)
    }
    if (other === undefined) continue
    print(describeTarget(describe(load), middleOf(ratios), 'at least', 1.3))
    print(
      describeTarget(
        '  processor time a text, theirs / ours',
        middleOf(cpuRatios),
        'at least',
        1.3,
      ),
    )
  }
}

const describe = ({ clients, batch }: Load) =>
  `${clients} ${clients === 1 ? 'client' : 'clients'}, ${batch === 1 ? 'a text' : `${batch} texts`} a request`

const middleOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

interface Rate {
  /** Texts. */
  readonly perSecond: number
  /** Of the server's processor time for a text; NaN where the system does not tell. */
  readonly cpuMs: number
}

const tell = (rate: Rate | undefined): string =>
  `${rate?.perSecond.toFixed(1)} texts/s, ${rate?.cpuMs.toFixed(1)} ms of CPU each`

/** Of clients that each wait for their answer. */
async function measure(target: Target, { clients, batch }: Load, texts: TextSource): Promise<Rate> {
  const { url, model } = target
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const count = Math.max(textCount, clients * batch)
  let begun = 0
  const send = async () => {
    while (begun < count) {
      begun += batch
      await timeRequest(agent, url, bodyOf(model, texts(batch)))
    }
  }
  const cpuMs = cpuMsOf(target) ?? NaN
  const startMs = performance.now()
  await Promise.all(Array.from({ length: clients }, send))
  const seconds = (performance.now() - startMs) / 1000
  agent.destroy()
  return { perSecond: begun / seconds, cpuMs: ((cpuMsOf(target) ?? NaN) - cpuMs) / begun }
}

/** As OpenAI's own clients ask. */
const bodyOf = (model: string, input: readonly string[]): string =>
  JSON.stringify({ model, input, encoding_format: 'base64' })

/** Returns so many texts, none that it has returned before. */
type TextSource = (count: number) => string[]

function textSource(questions: readonly string[]): TextSource {
  const descriptions = questions.map(
    (question) => (JSON.parse(question) as { description: string }).description,
  )
  let next = 0
  return (count) =>
    Array.from({ length: count }, () => {
      next += 1
      return `${next}. ${descriptions[next % descriptions.length] ?? ''}`
    })
}

/** @throws where they do not serve the same model */
async function leastCosine(own: Target, other: Target, texts: TextSource): Promise<string> {
  const input = texts(16)
  const [a = [], b = []] = await Promise.all(
    [own, other].map(async ({ url, model }) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ model, input })
      const response = await fetch(url, { method: 'POST', headers, body })
      const { data } = (await response.json()) as { data: { embedding: number[] }[] }
      return data.map(({ embedding }) => embedding)
    }),
  )
  const cosines = input.map((_, text) => cosine(a[text] ?? [], b[text] ?? []))
  const least = Math.min(...cosines)
  if (!(least > 0.999)) throw new Error(`expected the same vectors, the least cosine is ${least}`)
  return least.toFixed(6)
}

function cosine(a: readonly number[], b: readonly number[]): number {
  let [dot, left, right] = [0, 0, 0]
  a.forEach((value, i) => {
    const other = b[i] ?? NaN
    dot += value * other
    left += value * value
    right += other * other
  })
  return dot / Math.sqrt(left * right)
}
