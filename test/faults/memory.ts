/** The memory of a server after its garbage is collected. Needs signals, which Windows does not have. */
import { expect, vi } from 'vitest'
import { logOf, type Scene } from './scene.js'

/** Flags of Node for a server that `memoryOf` may be called with. */
export const countingFlags = [
  '--expose-gc',
  '--import',
  new URL('count-memory.js', import.meta.url).href,
]

export interface Memory {
  /** Bytes of objects, and of what they hold outside of the heap. */
  readonly alive: number
  /** Bytes of the whole process, all threads included. */
  readonly resident: number
}

export async function memoryOf(server: Scene): Promise<Memory> {
  const lines = () => [...logOf(server).matchAll(/^keeps (\d+) alive, (\d+) resident$/gm)]
  const before = lines().length
  expect(server.child.exitCode ?? server.child.signalCode, 'the server has ended').toBeNull()
  server.child.kill('SIGUSR2')
  return vi.waitFor(
    () => {
      const line = lines()[before]
      if (line === undefined) throw new Error('the server does not say what it keeps')
      return { alive: Number(line[1]), resident: Number(line[2]) }
    },
    { timeout: 30_000 },
  )
}
