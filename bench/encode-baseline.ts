/** sentence-transformers in Python, which encodes the same texts as we do. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Cost } from './cost.js'

export interface Baseline {
  /** Versions, for people. */
  readonly describes: string
  encode(texts: readonly string[]): Promise<BaselineCost>
  stop(): void
}

interface BaselineCost extends Cost {
  /** Of the first text. */
  readonly vector: readonly number[]
}

export interface BaselineStart {
  readonly python: string
  /** Folder of sentence-transformers with weights of PyTorch, or with onnx/model.onnx. */
  readonly model: string
  readonly backend: 'torch' | 'onnx'
  readonly threads: number
  /** Of the project. */
  readonly root: string
}

/** Rejects with what Python says where it lacks a package or the model. */
export async function startBaseline(start: BaselineStart): Promise<Baseline> {
  const { python, model, backend, threads, root } = start
  const words = [join(root, 'bench', 'encode_baseline.py'), model, `${threads}`, backend]
  const child = spawn(python, words, { stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2000)))
  const closed = new Promise((resolve) => child.once('close', resolve))
  // A missing Python shows as a missing answer.
  child.on('error', (error) => (said = error.message))
  child.stdin.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<unknown> => {
    const line = await lines.next()
    if (line.done !== true) return JSON.parse(line.value)
    await closed
    throw new Error(said.trim().split('\n').at(-1) ?? 'it ended')
  }
  const { describes } = (await read()) as { describes: string }
  return {
    describes,
    async encode(texts) {
      child.stdin.write(`${JSON.stringify(texts)}\n`)
      return (await read()) as BaselineCost
    },
    stop: () => child.stdin.end(),
  }
}
