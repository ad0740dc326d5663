/** `synoptic gpu status`. */
import { nativeInfo } from '../native/addon/index.js'
import type { Command } from './command.js'
import { describeCublas, describeModelsOnGpu } from './cuda-report.js'
import { parseOptions } from './parse-words.js'
import { print } from './print.js'

export const gpuStatus: Command = {
  name: 'gpu status',
  summary: 'Shows whether searches and models can use a GPU, and if not, why.',
  help: `Usage: synoptic gpu status

Searches need a device and NVIDIA's driver, models also ONNX Runtime's libraries for GPUs and parts of
CUDA, which are listed with their places. The exit status is 1 if searches can use no GPU.

Example:
  synoptic gpu status`,
  run: (argv) => Promise.resolve().then(() => status(argv)),
}

function status(argv: readonly string[]): number {
  parseOptions('gpu status', argv, {})
  const { available, reason, library, driverVersion, builtWith, devices } = nativeInfo().cuda
  const lines = [
    available ? 'CUDA is available.' : `CUDA is not available: ${reason}`,
    `library: ${library}`,
    ...(builtWith > 0 ? [`built with CUDA ${versionText(builtWith)}`] : []),
    ...(driverVersion > 0 ? [`driver for CUDA ${versionText(driverVersion)}`] : []),
    ...devices.map(
      ({ name, computeCapability, multiprocessors, totalBytes }, index) =>
        `cuda:${index}  ${name}, compute capability ${computeCapability}, ` +
        `${multiprocessors} multiprocessors, ${megabytes(totalBytes)} MB`,
    ),
  ]
  const models = describeModelsOnGpu()
  lines.push(...describeCublas(), ...models)
  print(`${lines.join('\n')}\n`)
  return available ? 0 : 1
}

const versionText = (version: number) =>
  `${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}`
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
