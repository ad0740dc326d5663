/** Runs autocannon in a process that gives way to server and probe, as clients elsewhere would. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon, { type Options, type Result } from 'autocannon'
import { giveWay } from '#synoptic/native/scheduling/give-way.js'

export type Load = Pick<Options, 'url' | 'connections' | 'duration' | 'requests'>
export type LoadResult = Pick<Result, 'requests' | 'latency' | 'non2xx' | 'errors'>

/** Rejects where the process fails. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const child = fork(fileURLToPath(import.meta.url))
  child.send(load)
  const answered = once(child, 'message') as Promise<[LoadResult]>
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the load ended with ${code}`)
  })
  const [result] = await Promise.race([answered, ended])
  ended.catch(() => undefined)
  return result
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  giveWay()
  process.once('message', (load: Load) => {
    void autocannon(load).then(({ requests, latency, non2xx, errors }) => {
      process.send?.({ requests, latency, non2xx, errors }, () => process.disconnect())
    })
  })
}
