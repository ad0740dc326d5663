/** infinity-emb serving all-MiniLM-L6-v2 by ONNX Runtime: the program that SYNOPTIC_BENCH_INFINITY names. */
import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export interface InfinityServer {
  readonly origin: string
  readonly pid: number
  stop(): void
}

/** It loads PyTorch and the model. */
const startTimeoutMs = 300_000

/**
 * @param model folder of the model
 * @param name by which requests name it
 * @param scratch a folder that the caller removes
 */
export async function startInfinity(
  program: string,
  model: string,
  name: string,
  scratch: string,
): Promise<InfinityServer> {
  const folder = join(scratch, 'infinity')
  mkdirSync(folder)
  const files = [
    'config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'special_tokens_map.json',
  ]
  for (const file of [...files, 'vocab.txt']) copyFileSync(join(model, file), join(folder, file))
  // It finds a network in the working directory only, and takes any other in the same folder.
  symlinkSync(join(model, 'onnx', 'model.onnx'), join(folder, 'model.onnx'))
  const port = await freePort()
  const address = ['--host', '127.0.0.1', '--port', String(port)]
  const engine = ['--engine', 'optimum', '--device', 'cpu', '--pooling-method', 'mean']
  const words = [
    'v2',
    '--model-id',
    '.',
    '--served-model-name',
    name,
    ...engine,
    ...address,
    '--no-model-warmup',
    '--log-level',
    'error',
  ]
  const child = spawn(program, words, {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, HF_HOME: folder, HF_HUB_OFFLINE: '1', DO_NOT_TRACK: '1' },
  })
  let ended: string | undefined
  child.once('error', (error) => (ended = error.message))
  child.once('exit', (status) => (ended = `it ended with status ${status}`))
  const origin = `http://127.0.0.1:${port}`
  const endMs = performance.now() + startTimeoutMs
  for (;;) {
    const response = await fetch(`${origin}/health`).catch(() => undefined)
    if (response?.ok === true) {
      {
        giveWay(child.pid ?? 0)
        return { origin, pid: child.pid ?? 0, stop: () => void child.kill() }
      }
    }
    const isLate = performance.now() > endMs
    if (isLate) child.kill()
    if (isLate || ended !== undefined) throw new Error(`${program}: ${ended ?? 'no answer'}`)
    await delay(500)
  }
}

/** Our encoders give way to other programs by as much, which would count against them on a busy machine. */
function giveWay(pid: number): void {
  if (process.platform !== 'linux') return
  for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), 10)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
