/**
 * Reads the pickles of PyTorch's state dicts. A pickle is a program; this one is never run: names of
 * functions stay names, and a call of any but those that rebuild a tensor is refused.
 */
import { ModelFileError } from '../model-files.js'

export type PickleValue =
  | null
  | boolean
  | number
  | string
  | PickleValue[]
  | Map<PickleValue, PickleValue>
  | PickleName
  | PickleStorage
  | PickleTensor

/** `module.name` of a function or class, never looked up. */
class PickleName {
  constructor(readonly path: string) {}
}

/** Numbers that lie in another file of the archive. */
export class PickleStorage {
  /** @param type e.g. `torch.FloatStorage` */
  constructor(
    readonly type: string,
    readonly key: string,
  ) {}
}

export class PickleTensor {
  constructor(
    readonly storage: PickleStorage,
    readonly offset: number,
    readonly shape: readonly number[],
    readonly strides: readonly number[],
  ) {}
}

/** Throws a ModelFileError that names what it does not know. */
export function readPickle(bytes: Buffer): PickleValue {
  const machine: Machine = { bytes, at: 0, stack: [], marks: [], memo: new Map() }
  try {
    for (;;) {
      const code = bytes.readUInt8(machine.at++)
      if (code === stop) return pop(machine)
      const step = steps.get(code)
      if (step === undefined) throw broken(`operation 0x${code.toString(16)}`)
      step(machine)
    }
  } catch (error) {
    if (error instanceof RangeError) throw broken('an early end')
    throw error
  }
}

interface Machine {
  readonly bytes: Buffer
  at: number
  readonly stack: PickleValue[]
  /** Heights of the stack where a group begins. */
  readonly marks: number[]
  readonly memo: Map<number, PickleValue>
}

const stop = 0x2e

const steps = new Map<number, (machine: Machine) => void>([
  [0x80, (m) => void take(m, 1)], // PROTO
  [code('}'), (m) => m.stack.push(new Map())],
  [code(']'), (m) => m.stack.push([])],
  [code(')'), (m) => m.stack.push([])],
  [code('('), (m) => m.marks.push(m.stack.length)],
  [code('q'), (m) => m.memo.set(take(m, 1).readUInt8(), top(m))],
  [code('r'), (m) => m.memo.set(take(m, 4).readUInt32LE(), top(m))],
  [code('h'), (m) => recall(m, take(m, 1).readUInt8())],
  [code('j'), (m) => recall(m, take(m, 4).readUInt32LE())],
  [code('X'), (m) => m.stack.push(take(m, take(m, 4).readUInt32LE()).toString('utf8'))],
  [code('c'), (m) => m.stack.push(new PickleName(`${takeLine(m)}.${takeLine(m)}`))],
  [code('K'), (m) => m.stack.push(take(m, 1).readUInt8())],
  [code('M'), (m) => m.stack.push(take(m, 2).readUInt16LE())],
  [code('J'), (m) => m.stack.push(take(m, 4).readInt32LE())],
  [0x8a, (m) => m.stack.push(readLong(take(m, take(m, 1).readUInt8())))], // LONG1
  [code('G'), (m) => m.stack.push(take(m, 8).readDoubleBE())],
  [code('N'), (m) => m.stack.push(null)],
  [0x88, (m) => m.stack.push(true)],
  [0x89, (m) => m.stack.push(false)],
  [code('t'), (m) => m.stack.push(popGroup(m))],
  [0x85, (m) => m.stack.push([pop(m)])],
  [0x86, (m) => m.stack.push([pop(m), pop(m)].reverse())],
  [0x87, (m) => m.stack.push([pop(m), pop(m), pop(m)].reverse())],
  [code('Q'), (m) => m.stack.push(toStorage(pop(m)))],
  [code('R'), (m) => reduce(m)],
  [0x81, (m) => refuseObject(m)], // NEWOBJ
  [code('s'), (m) => setItems(m, [pop(m), pop(m)].reverse())],
  [code('u'), (m) => setItems(m, popGroup(m))],
  [code('a'), (m) => appendItems(m, [pop(m)])],
  [code('e'), (m) => appendItems(m, popGroup(m))],
  [code('b'), (m) => build(m)],
])

function code(letter: string): number {
  return letter.charCodeAt(0)
}

function take(machine: Machine, count: number): Buffer {
  const start = machine.at
  machine.at += count
  if (machine.at > machine.bytes.length) throw new RangeError('the end')
  return machine.bytes.subarray(start, machine.at)
}

function takeLine(machine: Machine): string {
  const end = machine.bytes.indexOf('\n', machine.at)
  if (end < 0) throw new RangeError('the end')
  const line = take(machine, end - machine.at).toString('utf8')
  machine.at += 1
  return line
}

function top({ stack }: Machine): PickleValue {
  const value = stack.at(-1)
  if (value === undefined) throw broken('an empty stack')
  return value
}

function pop(machine: Machine): PickleValue {
  const value = top(machine)
  machine.stack.pop()
  return value
}

function popGroup({ stack, marks }: Machine): PickleValue[] {
  const mark = marks.pop()
  if (mark === undefined || mark > stack.length) throw broken('a group without a beginning')
  return stack.splice(mark)
}

function recall({ stack, memo }: Machine, key: number): void {
  const value = memo.get(key)
  if (value === undefined) throw broken(`nothing under ${key}`)
  stack.push(value)
}

function readLong(digits: Buffer): number {
  return digits.length === 0 ? 0 : digits.readIntLE(0, Math.min(6, digits.length))
}

function setItems(machine: Machine, pairs: readonly PickleValue[]): void {
  const target = top(machine)
  if (!(target instanceof Map) || pairs.length % 2 !== 0) throw broken('items of no dictionary')
  for (let i = 0; i < pairs.length; i += 2) target.set(pairs[i] ?? null, pairs[i + 1] ?? null)
}

function appendItems(machine: Machine, items: readonly PickleValue[]): void {
  const target = top(machine)
  if (!Array.isArray(target)) throw broken('items of no list')
  target.push(...items)
}

/** `('storage', type, key, location, count)`: PyTorch's reference to a file of numbers. */
function toStorage(value: PickleValue): PickleStorage {
  const [kind, type, key] = Array.isArray(value) ? value : []
  if (kind !== 'storage' || !(type instanceof PickleName) || typeof key !== 'string') {
    throw broken('a reference to something else than a storage')
  }
  return new PickleStorage(type.path, key)
}

function reduce(machine: Machine): void {
  const values = pop(machine)
  const callee = pop(machine)
  const path = callee instanceof PickleName ? callee.path : 'no function'
  const call = calls.get(path)
  if (call === undefined || !Array.isArray(values)) throw broken(`a call of ${path}`)
  machine.stack.push(call(values))
}

function refuseObject(machine: Machine): never {
  pop(machine)
  const made = pop(machine)
  throw broken(`an object of ${made instanceof PickleName ? made.path : 'no class'}`)
}

const calls = new Map<string, (values: readonly PickleValue[]) => PickleValue>([
  ['collections.OrderedDict', () => new Map()],
  ['torch._utils._rebuild_tensor_v2', rebuildTensor],
  ['torch._utils._rebuild_parameter', ([tensor = null]) => tensor],
])

function rebuildTensor([storage, offset, shape, strides]: readonly PickleValue[]): PickleTensor {
  const isShape = (value: unknown): value is number[] =>
    Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0)
  const isOffset = Number.isSafeInteger(offset) && Number(offset) >= 0
  if (!(storage instanceof PickleStorage) || !isOffset || !isShape(shape) || !isShape(strides)) {
    throw broken('a tensor of another form')
  }
  if (shape.length !== strides.length) throw broken('a tensor of another form')
  return new PickleTensor(storage, Number(offset), shape, strides)
}

/** A state dict carries versions of its modules as attributes; they are not needed. */
function build(machine: Machine): void {
  pop(machine)
  if (!(top(machine) instanceof Map)) throw broken('attributes of something else than a dictionary')
}

const broken = (what: string) =>
  new ModelFileError(`pytorch_model.bin: expected the pickle of a state dict, found ${what}`)
