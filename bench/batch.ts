/**
 * 64 descriptions as 64 requests of eight clients that keep their connections, and the same 64 in one request,
 * in turns. The baseline is the 64 requests.
 */
import { Agent } from 'node:http'
import { percentile, timeRequest } from './http-client.js'
import { withServers, type Server } from './http-servers.js'

const clients = 8
const batchSize = 64
const rounds = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 40)
const warmUpRounds = 10

export const trial = {
  words: ['batch', 'server'],
  summary: '64 requests of 8 clients, and one request with 64 descriptions or queries.',
  run,
}

/** A route, and the members of its body that take one text and several. */
interface Path {
  readonly path: string
  readonly one: string
  readonly many: string
  readonly options: object
}

async function run(print: (line: string) => void): Promise<void> {
  // Every text is encoded in both ways.
  await withServers(['--query-cache', '0'], print, async ({ ours, questions }) => {
    const { model, texts } = read(questions)
    const paths: readonly Path[] = [
      { path: '/searchmodel/anime', one: 'description', many: 'descriptions', options: { model } },
      { path: '/search/anime', one: 'query', many: 'queries', options: {} },
    ]
    for (const path of paths) {
      await checkAnswers(ours, path, texts)
      await compare(print, ours, path, texts)
    }
  })
}

function read(questions: readonly string[]) {
  const bodies = questions.map((body) => JSON.parse(body) as { model: string; description: string })
  const texts = bodies.map(({ description }) => description)
  return {
    model: bodies[0]?.model,
    texts: Array.from({ length: batchSize }, (_, i) => texts[i % texts.length] ?? ''),
  }
}

interface Answer {
  readonly results: readonly { readonly id: number }[]
}

const idsOf = (results: Answer['results']) => results.map(({ id }) => id).join()

/** A batch finds what its texts find alone; the last digit of a vector may depend on the rest of its batch. */
async function checkAnswers({ origin }: Server, path: Path, texts: readonly string[]) {
  const ask = async (body: object) => {
    const response = await fetch(origin + path.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...path.options, ...body }),
    })
    return (await response.json()) as Answer & { answers: Answer[] }
  }
  const { answers } = await ask({ [path.many]: texts })
  for (const [i, text] of texts.entries()) {
    const { results } = await ask({ [path.one]: text })
    if (idsOf(results) !== idsOf(answers[i]?.results ?? [])) {
      throw new Error(
        `${path.path}: the answer ${i} of a batch differs from that of its text alone`,
      )
    }
  }
}

async function compare(
  print: (line: string) => void,
  { origin }: Server,
  { path, one, many, options }: Path,
  texts: readonly string[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const singles = texts.map((text) => JSON.stringify({ ...options, [one]: text }))
  const batch = JSON.stringify({ ...options, [many]: texts })
  const times: { singlesMs: number; batchMs: number }[] = []
  for (let round = -warmUpRounds; round < rounds; round++) {
    const begunMs = performance.now()
    await Promise.all(singles.map((body) => timeRequest(agent, origin + path, body)))
    const singlesMs = performance.now() - begunMs
    const { ms: batchMs } = await timeRequest(agent, origin + path, batch)
    if (round >= 0) times.push({ singlesMs, batchMs })
  }
  agent.destroy()
  const median = (values: number[]) => percentile(values, 0.5)
  const [singlesMs, batchMs] = [
    median(times.map(({ singlesMs }) => singlesMs)),
    median(times.map(({ batchMs }) => batchMs)),
  ]
  const ratios = times.map(({ singlesMs, batchMs }) => singlesMs / batchMs)
  const perSecond = (ms: number) => ((1000 * batchSize) / ms).toFixed(0)
  print(`${path}, ${batchSize} texts, median of ${rounds} rounds in turns`)
  print(
    `  baseline, ${batchSize} requests of ${clients} clients: ${singlesMs.toFixed(1)} ms, ${perSecond(singlesMs)} texts/s`,
  )
  print(`  one request: ${batchMs.toFixed(1)} ms, ${perSecond(batchMs)} texts/s`)
  const [low, high] = [percentile(ratios, 0.1), percentile(ratios, 0.9)]
  print(
    `  ratio ${median(ratios).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)} in eight of ten rounds)`,
  )
}
