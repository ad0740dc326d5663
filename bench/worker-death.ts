/** How long the place of a worker that is killed under load stays empty, and what that costs its clients. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Servers } from './http-servers.js'
import { runOpenLoop } from './open-loop.js'

const deaths = 3
const seconds = 4
const killAfterMs = 1000
/** Searches; what two workers answer with ease. */
const ratePerSecond = 50

/** Kills one of two workers while they search, a few times; answers the longest time, in milliseconds. */
export async function timeWorkerDeath(
  print: (line: string) => void,
  { startOurs, questions }: Pick<Servers, 'startOurs' | 'questions'>,
): Promise<number> {
  const { origin, pid, logFile } = await startOurs(['--workers', '2'])
  const bodies = questions.map((question) => {
    const { description } = JSON.parse(question) as { description: string }
    return JSON.stringify({ query: description })
  })
  let [broken, refused] = [0, 0]
  for (let death = 1; death <= deaths; death++) {
    const load = runOpenLoop({ origin, path: '/search/anime', bodies, ratePerSecond, seconds })
    await sleep(killAfterMs)
    const [worker] = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' }).stdout.split(
      '\n',
    )
    process.kill(Number(worker), 'SIGKILL')
    for (const status of (await load).statuses) {
      if (status === 503) refused += 1
      else if (status !== 200) broken += 1
    }
    while (emptyMs(logFile).length < death) await sleep(50)
  }
  const times = emptyMs(logFile)
  print(
    `a worker killed under ${ratePerSecond} searches/s: its place empty for ${times.join(', ')} ms; ` +
      `${broken} requests broken, ${refused} refused, ${deaths} deaths`,
  )
  return Math.max(...times)
}

/** What the log says of each death so far, in milliseconds. */
function emptyMs(logFile: string): number[] {
  const lines = readFileSync(logFile, 'utf8').match(/^.*a worker replaced it.*$/gm) ?? []
  return lines.map((line) => (JSON.parse(line) as { afterMs: number }).afterMs)
}
