/**
 * Part of npm's `install` script, for a package installed in another project: gives onnxruntime-node the stand-in
 * tools/global-agent, so that its `postinstall`, which runs after every `install`, fetches no 400 MB of GPU libraries.
 * In a clone the lock file does that. Does nothing where ONNXRUNTIME_NODE_INSTALL asks for those libraries.
 */
import { cpSync, existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const standIn = join(root, 'tools', 'global-agent')
const runtime = runtimeFolder()
if (process.env.ONNXRUNTIME_NODE_INSTALL === undefined && runtime !== undefined) {
  const own = join(runtime, 'node_modules', 'global-agent')
  if (!isStandIn(runtime) && !existsSync(own)) cpSync(standIn, own, { recursive: true })
}

/** Undefined where it is not installed. */
function runtimeFolder() {
  for (const modules of createRequire(import.meta.url).resolve.paths('onnxruntime-node') ?? []) {
    const folder = join(modules, 'onnxruntime-node')
    if (existsSync(folder)) return folder
  }
  return undefined
}

function isStandIn(runtime) {
  const require = createRequire(join(runtime, 'package.json'))
  try {
    return realpathSync(require.resolve('global-agent')) === realpathSync(join(standIn, 'index.js'))
  } catch {
    return false
  }
}
