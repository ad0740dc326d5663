/** Which of the libraries that a server needs beside the addon load in this Node. */
import { createRequire } from 'node:module'
import { requireOnnxRuntime } from '../dist/encoders/onnx-runtime.js'

const require = createRequire(import.meta.url)
const tries = {
  'ONNX Runtime': () => require('onnxruntime-node'),
  tokenizers: () => require('tokenizers'),
  'a model': () => requireOnnxRuntime(),
  SQLite: () => new (require('better-sqlite3'))(':memory:').close(),
}
for (const [name, load] of Object.entries(tries)) {
  try {
    load()
    console.log(`${name} loads`)
  } catch (error) {
    console.log(`${name} does not load: ${rootOf(error).message.split('\n')[0]}`)
  }
}

/** What we say of it ourselves, else the cause of all. */
function rootOf(error) {
  return error.name !== 'PlatformError' && error.cause instanceof Error
    ? rootOf(error.cause)
    : error
}
