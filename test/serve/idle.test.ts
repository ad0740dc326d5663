/** What a server holds while it is used, and what is left after it has been idle. */
import { readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { openScene, withoutSearch, type Scene } from '../faults/scene.js'
import { readMetrics, sumOf } from '../observability/text.js'
import { ask, deathNote } from './child.js'

const isLinux = process.platform === 'linux'
const patience = { timeout: 170_000, interval: 200 }

it('releases models and embeddings after --idle-timeout, and takes them up again', async () => {
  const server = await openScene([...withoutSearch, '--idle-timeout', '2'])
  const memory = async () => {
    const samples = readMetrics(await (await fetch(`${server.origin}/metrics`)).text())
    return {
      models: sumOf(samples, 'synoptic_model_bytes'),
      mapped: sumOf(samples, 'synoptic_mapped_bytes'),
      device: sumOf(samples, 'synoptic_gpu_bytes', { kind: 'used' }),
      threads: isLinux ? countThreads(server) : 0,
    }
  }
  /** What the server holds after a search. It may go idle before the request; then another search comes. */
  const inUse = () =>
    vi.waitFor(async () => {
      expect((await ask(server.origin, deathNote)).status).toBe(200)
      const used = await memory()
      expect(used.models).toBeGreaterThan(0)
      expect(used.mapped).toBeGreaterThan(0)
      return used
    }, patience)
  for (let i = 0; i < 20; i++) expect((await ask(server.origin, deathNote)).status).toBe(200)
  const used = await inUse()
  expect(used.models).toBeGreaterThan(8 * 2 ** 20)
  expect(used.mapped).toBeGreaterThan(100_000)

  await vi.waitFor(async () => expect((await memory()).models).toBe(0), patience)
  const idle = await memory()
  expect(idle.mapped).toBe(0)
  expect(idle.device).toBe(0)
  // The worker thread ends, and its heap, the weights and the tokenizer go with it. Resident memory would
  // say less: the garbage that comes and goes meanwhile is as large as the model.
  if (isLinux) {
    await vi.waitFor(() => expect(countThreads(server)).toBeLessThan(used.threads), patience)
  }

  expect((await inUse()).models).toBe(used.models)
  expect(await server.stop()).toBe(0)
})

const countThreads = ({ child }: Scene) => readdirSync(`/proc/${child.pid}/task`).length
