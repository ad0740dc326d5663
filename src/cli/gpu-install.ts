/** `synoptic gpu install`. */
import { loadCudaLibraries } from '../models/encoders/cuda-libraries.js'
import {
  type GpuLibraries,
  gpuLibraries,
  runtimeLibraries,
} from '../models/encoders/onnx-runtime.js'
import { SettingsError, UpstreamError } from '../base/errors/index.js'
import { installCudaLibraries, neededBytes } from '../models/tools/cuda-install.js'
import { type CudaWheel, defaultIndex, findCudaWheels } from '../models/tools/cuda-wheels.js'
import { areInstalled, findGpuPackage, installGpuLibraries } from '../models/tools/gpu-install.js'
import type { Command } from './command.js'
import { adviceFor, describeCuda } from './cuda-report.js'
import { parseOptions } from './parse-words.js'
import { print, printError } from './print.js'
import { createPullProgressBar, type PullProgressBar } from './pull-progress.js'
import { stopOnSignal } from './stop-on-signal.js'

export const gpuInstall: Command = {
  name: 'gpu install',
  summary: 'Fetches the libraries with which models run on a GPU.',
  help: `Usage: synoptic gpu install [--cuda] [--optional] [--dry-run] [--replace]
                           [--feed <url>] [--index <url>]

Fetches ONNX Runtime's libraries for CUDA, some hundred megabytes, compares them with the hash that
their feed has of them, and puts them into the folder of ONNX Runtime. No install fetches them. They need NVIDIA's
driver and parts of CUDA; the command says which of these the machine has. To resume a stopped install,
run the same command again. Linux on x64 only.

  --cuda         Fetches what the machine lacks of CUDA too: its runtime, cuBLAS and cuRAND, from NVIDIA's
                 packages in a Python index, compares it with the hashes of that index, and puts it into
                 the same folder. NVIDIA's licence holds for it: docs.nvidia.com/cuda/eula
  --optional     With --cuda: also what only some models need (cuDNN, cuFFT, NVRTC), a gigabyte.
  --dry-run      Says what would be fetched, with sizes, and changes nothing.
  --replace      Fetches ONNX Runtime's libraries again.
  --feed <url>   Index of a NuGet feed that has ONNX Runtime's package, such as a mirror.
                 default that of ONNX Runtime's own install script, api.nuget.org
  --index <url>  Python index that has NVIDIA's packages.
                 default PIP_INDEX_URL, else ${defaultIndex}

Example:
  synoptic gpu install --cuda`,
  run,
}

interface Task {
  readonly libraries: GpuLibraries
  readonly folder: string
  readonly index: string
  readonly bar: PullProgressBar
  readonly signal: AbortSignal
}

async function run(argv: readonly string[]): Promise<number> {
  const options = readOptions(argv)
  const offered = gpuLibraries()
  if (offered === undefined) {
    const machine = `${process.platform} on ${process.arch}`
    printError(`error: ONNX Runtime has no libraries for GPUs for ${machine}\n`)
    return 1
  }
  const stop = stopOnSignal()
  const bar = createPullProgressBar('gpu')
  const libraries = { ...offered, feed: options.feed ?? offered.feed }
  const task = { libraries, folder: runtimeLibraries(), index: options.index, bar, ...stop }
  try {
    await installRuntime(task, options)
    await installCuda(task, options)
    return 0
  } catch (error) {
    bar.close()
    if (stop.signal.aborted) {
      printError('Stopped. To resume, run the same command again.\n')
      return 130
    }
    if (!(error instanceof UpstreamError)) throw error
    printError(`error: ${error.message}\nTo go on, run the same command again.\n`)
    return 1
  } finally {
    bar.close()
    stop.forget()
  }
}

type Options = ReturnType<typeof readOptions>

async function installRuntime(task: Task, { replace, dryRun }: Options): Promise<void> {
  const { libraries, folder, bar, signal } = task
  const { name, version } = libraries
  if (!replace && areInstalled(libraries, folder)) {
    print(`The libraries are installed in ${folder}; --replace fetches them again.\n`)
    return
  }
  if (dryRun) {
    const { bytes } = await findGpuPackage(libraries, { signal, onRetry: bar.retry })
    print(`${name} ${version}  ${megabytes(bytes)}\n`)
    return
  }
  await installGpuLibraries({
    libraries,
    folder,
    signal,
    onRetry: bar.retry,
    onProgress: (doneBytes, total) =>
      bar.show({ file: name, doneBytes, totalBytes: total ?? doneBytes }),
  })
  bar.close()
  print(`${name} ${version}: its hash is right; installed in ${folder}\n`)
}

async function installCuda(task: Task, { cuda, optional, dryRun }: Options): Promise<void> {
  const { folder, index, bar, signal } = task
  const found = loadCudaLibraries(folder)
  if (found.length === 0) {
    if (dryRun) print('What they need of CUDA is known once they are installed.\n')
    return
  }
  const missing = found.filter(
    ({ problem, isRequired }) => problem !== undefined && (isRequired || optional),
  )
  const wheels =
    cuda && missing.length > 0
      ? await findCudaWheels(missing, index, { signal, onRetry: bar.retry })
      : []
  if (dryRun) {
    printPlan(wheels, cuda)
    return
  }
  await installCudaLibraries({
    wheels,
    folder,
    signal,
    onRetry: bar.retry,
    onProgress: ({ name }, doneBytes, total) =>
      bar.show({ file: name, doneBytes, totalBytes: total ?? doneBytes }),
    onInstalled({ name, version }, files) {
      bar.close()
      print(`${name} ${version}: its hash is right; ${files.length} files installed\n`)
    },
  })
  const now = wheels.length > 0 ? loadCudaLibraries(folder) : found
  print(`${describeCuda(now).join('\n')}\n`)
  const advice = adviceFor(now)
  if (advice.length > 0) printError(`${advice.join('\n')}\n`)
}

function printPlan(wheels: readonly CudaWheel[], isRequested: boolean): void {
  const lines = wheels.map(({ name, version, bytes }) => `${name} ${version}  ${megabytes(bytes)}`)
  const needs =
    wheels.length > 0
      ? [`Free space needed: ${megabytes(neededBytes(wheels))}. Nothing was fetched.`]
      : [isRequested ? 'Nothing of CUDA is missing.' : 'Nothing of CUDA is fetched without --cuda.']
  print(`${[...lines, ...needs].join('\n')}\n`)
}

const megabytes = (bytes: number | undefined) =>
  bytes === undefined ? 'size unknown' : `${(bytes / 1e6).toFixed(1)} MB`

function readOptions(argv: readonly string[]) {
  const words = parseOptions('gpu install', argv, {
    feed: { type: 'string' },
    index: { type: 'string' },
    cuda: { type: 'boolean' },
    optional: { type: 'boolean' },
    replace: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  })
  const fromPip = process.env.PIP_INDEX_URL?.trim()
  const index = words.index ?? (fromPip === '' ? undefined : fromPip) ?? defaultIndex
  const { feed, cuda = false, optional = false, replace = false } = words
  const problems = [
    ...(feed === undefined || isAddress(feed) ? [] : [expectation('--feed', feed)]),
    // fetch() takes no name and password in an address, and a message would print them.
    ...(isAddress(index) ? [] : [expectation('--index', words.index)]),
    ...(optional && !cuda ? ['gpu install: --optional: expected with --cuda'] : []),
  ]
  if (problems.length > 0) throw new SettingsError(problems)
  return { feed, index, cuda, optional, replace, dryRun: words['dry-run'] ?? false }
}

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return /^https?:$/.test(protocol) && username === '' && password === ''
}

const expectation = (option: string, received: string | undefined) =>
  received === undefined
    ? `gpu install: PIP_INDEX_URL: expected an http(s) address without name and password; ${option} names another`
    : `gpu install: ${option}: expected an http(s) address, received ${JSON.stringify(received)}`
