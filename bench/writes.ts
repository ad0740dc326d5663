/**
 * What writes cost searches: closed-loop clients against one server, in turns without writes and with a client that puts
 * ten entries twice a second; merges run meanwhile as they come.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createApiKey, hashOf } from '#synoptic/base/keys/api-key.js'
import { withServers } from './http-servers.js'
import type { Trial } from './trial.js'

const clients = 8
const turnSeconds = 15
const rounds = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 3)
const target = 0.9

export const trial: Trial = {
  words: ['writes', 'server'],
  summary: 'Searches while entries are written, compared with searches without writes.',
  async run(print) {
    const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-keys-'))
    try {
      await run(folder, print)
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
}

async function run(folder: string, print: (line: string) => void): Promise<void> {
  const key = createApiKey()
  const record = {
    name: 'bench',
    hash: hashOf(key).toString('hex'),
    scopes: ['search', 'write'],
    created: '2026-01-01T00:00:00.000Z',
  }
  const keys = join(folder, 'keys.json')
  writeFileSync(keys, JSON.stringify({ keys: [record] }))
  await withServers(['--api-keys', keys], print, async ({ ours: { origin }, questions }) => {
    const send = async (method: string, path: string, body?: string) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(origin + path, { method, headers, ...(body && { body }) })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return text
    }
    let next = 0
    /** Searches a second until the time is over. */
    const searchFor = async (seconds: number): Promise<number> => {
      const end = performance.now() + seconds * 1000
      let done = 0
      const one = async () => {
        while (performance.now() < end) {
          await send('POST', '/searchmodel/anime', questions[(next += 1) % questions.length])
          done += 1
        }
      }
      await Promise.all(Array.from({ length: clients }, one))
      return done / seconds
    }
    const first = JSON.parse(await send('POST', '/searchmodel/anime', questions[0])) as {
      readonly results: readonly { readonly column: string }[]
    }
    const column = first.results[0]?.column ?? ''
    let id = 9_000_000
    const writeFor = async (seconds: number): Promise<void> => {
      const end = performance.now() + seconds * 1000
      while (performance.now() < end) {
        const entries = Array.from({ length: 10 }, () => {
          id += 1
          const text = `The keeper of lighthouse ${id} writes letters to the sea.`
          return { id, title: `Written ${id}`, texts: { [column]: text } }
        })
        await send('PUT', '/entries/anime', JSON.stringify(entries))
        await delay(500)
      }
    }
    const settled = async () => {
      for (;;) {
        const { tasks } = JSON.parse(await send('GET', '/tasks?limit=1000')) as {
          readonly tasks: readonly { readonly status: string }[]
        }
        if (tasks.every(({ status }) => status === 'done')) return
        await delay(200)
      }
    }
    await searchFor(5)
    const ratios: number[] = []
    for (let round = 1; round <= rounds; round += 1) {
      const without = await searchFor(turnSeconds)
      const before = id
      const [during] = await Promise.all([searchFor(turnSeconds), writeFor(turnSeconds)])
      await settled()
      ratios.push(during / without)
      print(
        `  round ${round}: ${without.toFixed(0)} searches a second, ${during.toFixed(0)} while ` +
          `${id - before} entries are written: ${(during / without).toFixed(2)}`,
      )
    }
    const median = ratios.toSorted((a, b) => a - b)[ratios.length >> 1] ?? 0
    print(`  median ${median.toFixed(2)}; ${median >= target ? 'reaches' : 'MISSES'} ${target}`)
  })
}
