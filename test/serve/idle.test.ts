/** What a server holds while it is used, and what is left when nobody has used it for a while. */
import { expect, it } from 'vitest'
import { openScene } from '../faults/scene.js'
import { readMetrics, sumOf } from '../observability/text.js'
import { ask, deathNote } from './child.js'
import { until } from './load.js'

it('releases models and embeddings after --idle-timeout, and takes them up again', async () => {
  const server = await openScene(['--idle-timeout', '2'])
  const memory = async () => {
    const samples = readMetrics(await (await fetch(`${server.origin}/metrics`)).text())
    return {
      models: sumOf(samples, 'synoptic_model_bytes'),
      mapped: sumOf(samples, 'synoptic_mapped_bytes'),
      device: sumOf(samples, 'synoptic_gpu_bytes', { kind: 'used' }),
      residentMiB: sumOf(samples, 'process_resident_memory_bytes') / 2 ** 20,
    }
  }
  /** What it holds right after a search; where the machine stood still in between, after another. */
  const inUse = async () => {
    for (;;) {
      expect((await ask(server.origin, deathNote)).status).toBe(200)
      const used = await memory()
      if (used.models > 0 && used.mapped > 0) return used
    }
  }
  for (let i = 0; i < 20; i++) expect((await ask(server.origin, deathNote)).status).toBe(200)
  const used = await inUse()
  expect(used.models).toBeGreaterThan(8 * 2 ** 20)
  expect(used.mapped).toBeGreaterThan(100_000)

  await until(async () => (await memory()).models === 0)
  const idle = await memory()
  expect(idle.mapped).toBe(0)
  expect(idle.device).toBe(0)
  // The model's thread is gone with its heap and the weights, and what the C library kept of it soon after.
  const modelMiB = used.models / 2 ** 20
  await until(async () => (await memory()).residentMiB < used.residentMiB - modelMiB)
  const { residentMiB } = await memory()
  console.log(`resident: ${used.residentMiB.toFixed(0)} MiB used, ${residentMiB.toFixed(0)} idle`)

  expect((await inUse()).models).toBe(used.models)
  expect(await server.stop()).toBe(0)
})
