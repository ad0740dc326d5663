/** Texts to vectors: synopses compared with sentence-transformers, and single texts with the built-in model. */
import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Encoder } from '#synoptic/models/encoders/encoder.js'
import { createEncoders } from '#synoptic/models/residency/encoders.js'
import { timeSynopses } from './encode-synopses.js'
import type { Trial } from './trial.js'

export const trial: Trial = {
  words: ['encode', 'encoder'],
  summary:
    'Encoding compared with sentence-transformers; single texts a second with the built-in model.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  try {
    await timeSingles(print)
    await timeSynopses(print, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function timeSingles(print: (line: string) => void): Promise<void> {
  const started = performance.now()
  const encoders = createEncoders()
  const encoder = await encoders.get(requireInstalled('builtin/static-en', { modelsDir: 'models' }))
  print(`builtin/static-en: loaded in ${(performance.now() - started).toFixed(0)} ms`)
  const text = 'a school class has to kill its teacher, a yellow octopus, before graduation'
  for (const clients of [1, 8, 32]) {
    await serve(encoder, text, clients, 500)
    const before = process.cpuUsage()
    const { requests, elapsedMs, waits } = await serve(encoder, text, clients, 8000)
    const { user, system } = process.cpuUsage(before)
    const [median = 0, late = 0] = [0.5, 0.99].map((share) => quantile(waits, share))
    print(
      `  ${clients} at a time: ${((requests / elapsedMs) * 1000).toFixed(0)} a second, ` +
        `${median.toFixed(2)} ms (99%: ${late.toFixed(2)}), ` +
        `${((user + system) / requests).toFixed(0)} us of processor each`,
    )
  }
  await encoders.close()
}

async function serve(encoder: Encoder, text: string, clients: number, requests: number) {
  const waits: number[] = []
  const start = performance.now()
  let left = requests
  const client = async () => {
    while (left-- > 0) {
      const startedMs = performance.now()
      await encoder.encode([text])
      waits.push(performance.now() - startedMs)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return { requests, elapsedMs: performance.now() - start, waits }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
