/**
 * A process for open loops: in the one that has imported a catalogue, encoded it and run other clients, the
 * collections of garbage are longer and more, and each pause would count as the server's.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type OpenLoop, type Outcomes, runOpenLoop } from './open-loop.js'

export interface OpenLoopProcess {
  /** One after the other. Rejects where the process fails. */
  run(loop: OpenLoop): Promise<Outcomes>
  end(): void
}

/** It is kept, for a new one would have to compile its code again under load. */
export function startOpenLoopProcess(): OpenLoopProcess {
  const child = fork(fileURLToPath(import.meta.url), { serialization: 'advanced' })
  return {
    async run(loop) {
      const waiting = new AbortController()
      const { signal } = waiting
      const ended = once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`the load ended with ${code}`)
      })
      const answered = once(child, 'message', { signal }) as Promise<[Outcomes]>
      child.send(loop)
      try {
        const [outcomes] = await Promise.race([answered, ended])
        return outcomes
      } finally {
        ended.catch(() => undefined)
        answered.catch(() => undefined)
        waiting.abort()
      }
    },
    end: () => child.disconnect(),
  }
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on('message', (loop: OpenLoop) => {
    void runOpenLoop(loop).then((outcomes) => process.send?.(outcomes))
  })
}
