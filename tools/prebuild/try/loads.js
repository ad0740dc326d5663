/** Which of the libraries that a server needs beside the addon load in this Node. */
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const tries = {
  'ONNX Runtime': () => require('onnxruntime-node'),
  tokenizers: () => require('tokenizers'),
  SQLite: () => new (require('better-sqlite3'))(':memory:').close(),
}
for (const [name, load] of Object.entries(tries)) {
  try {
    load()
    console.log(`${name} loads`)
  } catch (error) {
    let cause = error
    while (cause.cause instanceof Error) cause = cause.cause
    console.log(`${name} does not load: ${cause.message.split('\n')[0]}`)
  }
}
