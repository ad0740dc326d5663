/** Checks that a named library, which a server needs in addition to the addon, loads in this Node. */
import { createRequire } from 'node:module'
import { requireOnnxRuntime } from '../dist/models/encoders/onnx-runtime.js'

const require = createRequire(import.meta.url)
const tries = {
  'ONNX Runtime': () => require('onnxruntime-node'),
  tokenizers: () => require('tokenizers'),
  SQLite: () => new (require('better-sqlite3'))(':memory:').close(),
  'what models run on': () => requireOnnxRuntime(),
}
const name = process.argv[2]
try {
  tries[name]()
  console.log(`${name} loads`)
} catch (error) {
  const isAbsent = error.message.startsWith("Cannot find module 'better-sqlite3'")
  if (isAbsent) console.log('SQLite is not installed here: npm leaves it out for a Node before 22')
  else console.log(`${name} does not load: ${rootOf(error).message.split('\n')[0]}`)
}

/** What we say of it ourselves, else the cause of all. */
function rootOf(error) {
  return error.name !== 'PlatformError' && error.cause instanceof Error
    ? rootOf(error.cause)
    : error
}
