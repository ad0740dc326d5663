/** Encoders on the device that is there. No machine of the tests needs a GPU. */
import { createDevices } from '#synoptic/models/encoders/device.js'
import { createNamedEncoders } from '../helpers/named-encoders.js'
import { ModelLoadError } from '#synoptic/base/errors/index.js'
import { expect, test } from 'vitest'
import { openHarness, tiny } from './harness.js'

const isCudaThere = createDevices().choose('cuda').device !== 'cpu'
if (isCudaThere) console.warn('skipped: what happens without CUDA libraries, which are here')

function open(hasCuda: boolean, device: string | undefined) {
  const { modelsDir, write } = openHarness()
  write(tiny)
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const devices = createDevices(hasCuda)
  const encoders = createNamedEncoders({ modelsDir, threads: 1, devices, device, warn })
  return { encoders, write, devices, warnings }
}

test('the CPU where nothing else is there, without a word', async () => {
  const { encoders, warnings } = open(false, undefined)
  expect((await encoders.get(tiny)).device).toBe('cpu')
  expect(warnings).toEqual([])
  await encoders.close()
})

test('a device that is not there is reported', async () => {
  const { encoders, warnings } = open(false, 'cuda:1')
  expect((await encoders.get(tiny)).device).toBe('cpu')
  expect(warnings).toEqual([`model ${tiny}: cuda:1 is not there; the CPU answered.`])
  await encoders.close()
})

test.skipIf(isCudaThere)('a device that fails as the model is loaded is left alone', async () => {
  const { encoders, devices, warnings } = open(true, undefined)
  const encoder = await encoders.get(tiny)
  expect(encoder.device).toBe('cpu')
  expect((await encoder.encode(['alpha'])).vectors.length).toBe(4)
  expect(warnings).toEqual([
    expect.stringMatching(
      /cannot be loaded: .*; it runs on the CPU, and cuda:0 is not tried again/,
    ),
  ])
  expect(devices.choose(undefined)).toEqual({ device: 'cpu' })
  await encoders.close()
})

test('a model that is broken blames no device', async () => {
  const { encoders, write, devices, warnings } = open(true, undefined)
  write(tiny, { files: { 'tokenizer.json': '{}' } })
  await expect(encoders.get(tiny)).rejects.toThrow(ModelLoadError)
  expect(devices.choose(undefined)).toEqual({ device: 'cuda:0' })
  expect(warnings).toEqual([])
  await encoders.close()
})
