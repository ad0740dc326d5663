/** A device that fails while a model works there. The models are real; only the name of their device is not. */
import { createDeviceFallback } from '#synoptic/models/encoders/device-fallback.js'
import { EncoderError } from '#synoptic/base/errors/index.js'
import { openWorkerEncoder, type WorkerEncoder } from '#synoptic/models/encoders/worker-encoder.js'
import { afterEach, describe, expect, test } from 'vitest'
import { tinyTableWith } from '../helpers/tiny-model.js'
import { openHarness, tiny } from './harness.js'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** On the "device" the model fails on gamma; on the CPU it does not, or fails on all that it failed on. */
async function openFallback(isSoundOnCpu: boolean, failsToOpen = 0) {
  const { write } = openHarness()
  const broken = { graph: { table: tinyTableWith(['gamma'], NaN) } }
  const start = { model: tiny, folder: write(tiny, broken), threads: 1 }
  const onDevice = { ...(await openWorkerEncoder(start)), device: 'cuda:0' }
  const failures: EncoderError[] = []
  let opened = 0
  const openOnCpu = () => {
    opened += 1
    if (opened <= failsToOpen) return Promise.reject(new Error('no memory left'))
    write(tiny, isSoundOnCpu ? {} : broken)
    return openWorkerEncoder(start)
  }
  const fallback = createDeviceFallback<WorkerEncoder>(onDevice, openOnCpu, (error) => {
    failures.push(error)
  })
  open.push(fallback)
  const encode = (text: string) => fallback.run((on) => on.encode([text]))
  return { fallback, encode, failures, opened: () => opened }
}

describe('a model whose device fails', () => {
  test('goes on on the CPU, and answers what failed', async () => {
    const { fallback, encode, failures, opened } = await openFallback(true)
    expect((await encode('alpha')).vectors.length).toBe(4)
    expect(fallback.current().device).toBe('cuda:0')
    const answers = await Promise.all(['gamma', 'alpha', 'gamma'].map(encode))
    for (const { vectors } of answers) expect(vectors.every(Number.isFinite)).toBe(true)
    expect(fallback.current().device).toBe('cpu')
    expect(failures).toEqual([expect.any(EncoderError)])
    await encode('gamma')
    expect(opened()).toBe(1)
  })

  test('goes on on the CPU at a later failure where it could not be opened there at first', async () => {
    const { fallback, encode, opened } = await openFallback(true, 1)
    const refused = await Promise.allSettled(['gamma', 'gamma'].map(encode))
    expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(opened()).toBe(1)
    expect(fallback.current().device).toBe('cuda:0')
    expect((await encode('gamma')).vectors.every(Number.isFinite)).toBe(true)
    expect(fallback.current().device).toBe('cpu')
    expect(opened()).toBe(2)
  })

  test('stays there where the CPU fails on the same text', async () => {
    const { fallback, encode, failures } = await openFallback(false)
    await expect(encode('gamma')).rejects.toMatchObject({ reason: 'failed', texts: [0] })
    expect(fallback.current().device).toBe('cuda:0')
    expect(failures).toEqual([])
    expect((await encode('alpha')).vectors.length).toBe(4)
  })

  test('is tried on no other where the search is given up, or it is closed', async () => {
    const { fallback, encode, opened } = await openFallback(true)
    const { signal } = new AbortController()
    const given = fallback.run((on) => on.encode(['alpha'], { signal: AbortSignal.abort(signal) }))
    await expect(given).rejects.toBe(signal)
    await fallback.close()
    await expect(encode('alpha')).rejects.toMatchObject({ reason: 'closed' })
    expect(opened()).toBe(0)
  })
})
