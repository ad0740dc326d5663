/** `synoptic gpu install`. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type GpuLibraries, gpuLibraries, runtimeLibraries } from '../encoders/onnx-runtime.js'
import { SettingsError } from '../errors/settings-error.js'
import { UpstreamError } from '../errors/upstream-error.js'
import { areInstalled, installGpuLibraries } from '../model-tools/gpu-install.js'
import type { Command } from './command.js'
import { parseOptions } from './parse-words.js'
import { print, printError } from './print.js'
import { createPullProgressBar } from './pull-progress.js'
import { stopOnSignal } from './stop-on-signal.js'

export const gpuInstall: Command = {
  name: 'gpu install',
  summary: 'Fetches the libraries with which models run on a GPU.',
  help: `Usage: synoptic gpu install [--feed <url>] [--replace]

Fetches ONNX Runtime's libraries for CUDA 12, some hundred megabytes, compares them with the hash that
their feed has of them, and puts them beside ONNX Runtime. No install fetches them. They need NVIDIA's
driver, CUDA 12 and cuDNN 9, whose libraries the command names where they are missing. To resume a
stopped install, run the same command again. Linux on x64 only.

  --feed <url>  Index of a NuGet feed that has the package, such as a mirror.
                default that of ONNX Runtime's own install script, api.nuget.org
  --replace     Fetches them again.

Example:
  synoptic gpu install`,
  run,
}

async function run(argv: readonly string[]): Promise<number> {
  const { feed, replace = false } = readOptions(argv)
  const offered = gpuLibraries()
  if (offered === undefined) {
    const machine = `${process.platform} on ${process.arch}`
    printError(`error: ONNX Runtime has no libraries for GPUs for ${machine}\n`)
    return 1
  }
  const libraries = { ...offered, feed: feed ?? offered.feed }
  const folder = runtimeLibraries()
  if (!replace && areInstalled(libraries, folder)) {
    print(`The libraries are installed in ${folder}; --replace fetches them again.\n`)
    return tellMissing(libraries, folder)
  }
  const stop = stopOnSignal()
  const bar = createPullProgressBar('gpu')
  try {
    await installGpuLibraries({
      ...{ libraries, folder, signal: stop.signal, onRetry: bar.retry },
      onProgress: (doneBytes, total) =>
        bar.show({ file: libraries.name, doneBytes, totalBytes: total ?? doneBytes }),
    })
    bar.close()
    print(`${libraries.name} ${libraries.version}: its hash is right; installed in ${folder}\n`)
    return tellMissing(libraries, folder)
  } catch (error) {
    bar.close()
    if (stop.signal.aborted) {
      printError('Stopped. To resume, run the same command again.\n')
      return 130
    }
    if (!(error instanceof UpstreamError)) throw error
    printError(`error: ${error.message}\nNothing was changed.\n`)
    return 1
  } finally {
    bar.close()
    stop.forget()
  }
}

/** What the loader does not find of CUDA, which is not ours to install. */
function tellMissing({ files }: GpuLibraries, folder: string): number {
  const [provider = ''] = [...files.keys()].filter((name) => name.includes('_cuda'))
  const { status, stdout } = spawnSync('ldd', [join(folder, provider)], { encoding: 'utf8' })
  if (status !== 0) return 0
  const missing = [...stdout.matchAll(/^\s*(\S+) => not found/gm)].map(([, name]) => name)
  if (missing.length === 0) return 0
  printError(
    `warning: not found here: ${missing.join(', ')}; install CUDA 12 and cuDNN 9, or name the folders that ` +
      'have these libraries in LD_LIBRARY_PATH. Until then models run on the processor.\n',
  )
  return 0
}

function readOptions(argv: readonly string[]) {
  const options = parseOptions('gpu install', argv, {
    feed: { type: 'string' },
    replace: { type: 'boolean' },
  })
  const { feed } = options
  if (feed === undefined || (URL.canParse(feed) && /^https?:$/.test(new URL(feed).protocol)))
    return options
  throw new SettingsError([
    `gpu install: --feed: expected an http(s) address, received ${JSON.stringify(feed)}`,
  ])
}
