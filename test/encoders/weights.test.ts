/** Weights as PyTorch and safetensors write them; test/fixtures/dense/make.py made the files. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activationNames, findActivation } from '#synoptic/models/format/activations.js'
import { ModelFileError } from '#synoptic/models/format/model-files.js'
import { readCheckpoint } from '#synoptic/models/format/weights/checkpoint.js'
import { readSafetensors } from '#synoptic/models/format/weights/safetensors.js'
import { afterAll, describe, expect, test } from 'vitest'

const fixtures = 'test/fixtures/dense'
const folder = mkdtempSync(join(tmpdir(), 'synoptic-weights-'))
afterAll(() => rmSync(folder, { recursive: true }))

const { state, inputs, activations } = JSON.parse(
  readFileSync(join(fixtures, 'expected.json'), 'utf8'),
) as {
  state: Record<string, number[]>
  inputs: number[]
  activations: Record<string, number[]>
}
const shapes: Record<string, number[]> = { 'linear.weight': [3, 4], 'linear.bias': [3] }
const read = (path: string) =>
  path.endsWith('.bin') ? readCheckpoint(path) : readSafetensors(path)

/** A file of these bytes, read. */
function readBytes(name: string, bytes: Uint8Array) {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return read(path)
}

describe('weights', () => {
  test.each([
    ['float32.bin', 0],
    ['float64.bin', 0],
    ['float16.bin', 2e-4],
    ['bfloat16.bin', 2e-3],
    ['float32.safetensors', 0],
    ['float16.safetensors', 2e-4],
    ['bfloat16.safetensors', 2e-3],
  ])('of %s', async (name, tolerance) => {
    const tensors = await read(join(fixtures, name))
    expect([...tensors.keys()].toSorted()).toEqual(Object.keys(state).toSorted())
    for (const [key, { shape, data }] of tensors) {
      expect(shape).toEqual(shapes[key])
      const worst = Math.max(...data.map((value, i) => Math.abs(value - (state[key]?.[i] ?? NaN))))
      expect(worst).toBeLessThanOrEqual(tolerance)
    }
  })

  test('of a state dict with attributes, and of a view into a larger storage', async () => {
    const dict = await readCheckpoint(join(fixtures, 'state_dict.bin'))
    expect([...dict].map(([name, { shape }]) => [name, shape])).toEqual([
      ['weight', [3, 4]],
      ['bias', [3]],
    ])
    const view = (await readCheckpoint(join(fixtures, 'strided.bin'))).get('linear.weight')
    expect([...(view?.data ?? [])]).toEqual([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14])
  })
})

describe('what is refused', () => {
  test.each([
    [
      'module.bin',
      /expected the pickle of a state dict, found an object of torch\.nn\.modules\.linear\.Linear/,
    ],
    ['legacy.bin', /it is no ZIP archive; save it with PyTorch 1\.6 or later/],
    ['integers.bin', /linear\.weight is a torch\.LongStorage; expected floating point/],
  ])('%s', async (name, problem) => {
    const reading = read(join(fixtures, name))
    await expect(reading).rejects.toThrow(ModelFileError)
    await expect(reading).rejects.toThrow(problem)
  })

  test('a pickle that calls a function: nothing is run', async () => {
    const bytes = readFileSync(join(fixtures, 'float32.bin'), 'latin1')
    const evil = bytes.replace(
      'ctorch._utils\n_rebuild_tensor_v2',
      'cposixpath.py\n_rebuild_tensor_v2',
    )
    expect(evil).not.toBe(bytes)
    await expect(readBytes('evil.bin', Buffer.from(evil, 'latin1'))).rejects.toThrow(
      /found a call of posixpath\.py\._rebuild_tensor_v2/,
    )
  })

  test.each(['float32.bin', 'float32.safetensors'])('%s, cut anywhere', async (name) => {
    const whole = readFileSync(join(fixtures, name))
    for (let length = 0; length < whole.length; length += 7) {
      const cut = readBytes(`cut-${name}`, whole.subarray(0, length))
      await expect(cut, `${length} bytes`).rejects.toThrow(ModelFileError)
    }
  })

  const changeBytes = async (name: string, step: number) => {
    const whole = readFileSync(join(fixtures, name))
    for (let at = 0; at < whole.length; at += step) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const changed = Buffer.from(whole)
        changed[at] = (changed[at] ?? 0) ^ flip
        const error = await readBytes(`changed-${name}`, changed).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        if (error !== undefined) expect(error, `${at} ^ ${flip}`).toBeInstanceOf(ModelFileError)
      }
    }
  }
  const files = ['float32.bin', 'state_dict.bin', 'float32.safetensors']
  test.each(files)('%s with any tenth byte changed is read or refused, never more', (name) =>
    changeBytes(name, 10),
  )
  test.each(files)(
    '%s with any byte changed is read or refused, never more',
    { tags: ['nightly'] },
    (name) => changeBytes(name, 1),
  )

  test.each<[string, unknown, RegExp]>([
    ['integers', { dtype: 'I64', shape: [1], data_offsets: [0, 8] }, /Invalid type/],
    [
      'a place of another size',
      { dtype: 'F32', shape: [2], data_offsets: [0, 4] },
      /expected 8 bytes/,
    ],
    ['a place outside', { dtype: 'F32', shape: [4], data_offsets: [0, 16] }, /expected 16 bytes/],
  ])('safetensors with %s', async (_, entry, problem) => {
    const header = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, weight: entry }))
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(header.length))
    const bytes = Buffer.concat([length, header, Buffer.alloc(8)])
    await expect(readBytes('entry.safetensors', bytes)).rejects.toThrow(problem)
  })
})

describe('activations', () => {
  test('are the ones that PyTorch computes', () => {
    expect(Object.keys(activations).map((path) => path.split('.').at(-1))).toEqual(activationNames)
    for (const [path, expected] of Object.entries(activations)) {
      const activation = findActivation(path)
      inputs.forEach((input, i) => {
        const value = activation?.(input) ?? NaN
        expect(Math.abs(value - (expected[i] ?? NaN)), `${path}(${input})`).toBeLessThan(1e-12)
      })
    }
  })

  test('by PyTorch’s names only', () => {
    expect(findActivation('torch.nn.Tanh')?.(0.5)).toBe(Math.tanh(0.5))
    for (const path of [
      'Tanh',
      'torch.nn.modules.activation.Softmax',
      'os.system',
      'torch.tanh',
      '',
    ]) {
      expect(findActivation(path), path).toBeUndefined()
    }
  })
})
