/**
 * A model's revision: a hash of all files that decide its vectors. Embeddings are bound to it.
 */
import { createHash, type Hash } from 'node:crypto'
import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import * as v from 'valibot'
import { maxMebibytes, readWhole } from './model-files.js'
import { tokenizerFile } from './tokenizer-file.js'

/** Raised when the program itself comes to make other vectors of the same files. */
const encoderVersion = 1

/** Settings and tokenizers of a module; the weights of small modules lie in the same folder. */
const settingsFile =
  /^(modules|config|config_sentence_transformers|sentence_[\w-]+_config|tokenizer|tokenizer_config|special_tokens_map)\.json$/
const weightsFile = /^(model\.safetensors|pytorch_model\.bin)$/
const onnxFile = /^model\.onnx/

interface Revision {
  /** Identity, size and times of the files when they were hashed. */
  readonly state: string
  readonly hash: Promise<string>
}

/** The last revision of each folder. A server needs every model's revision every few seconds. */
const revisions = new Map<string, Revision>()

/** A file that is written twice within a step of the file system's clock keeps its times. */
const settledMs = 2000

/**
 * Returns 64 hexadecimal digits. Every byte of the files counts, for a single one that has flipped changes vectors. They
 * are read in pieces, so that a server answers meanwhile. Files that have not changed since the last call are not read
 * again; a failure is not remembered.
 */
export async function modelRevision(folder: string): Promise<string> {
  const files = (await listFiles(folder)).sort()
  const { state, isSettled } = await stateOf(folder, files)
  const last = revisions.get(folder)
  if (last?.state === state) return last.hash
  const revision = { state, hash: hashFiles(folder, files) }
  // Callers at the same time share the hash, even of files that are too new to be remembered.
  revisions.set(folder, revision)
  const forget = () => {
    if (revisions.get(folder) === revision) revisions.delete(folder)
  }
  revision.hash.then(isSettled ? () => undefined : forget, forget)
  return revision.hash
}

/** Everything that changes when a file's content changes, without reading the content. */
async function stateOf(folder: string, files: readonly string[]) {
  const paths = await Promise.all(files.map((file) => pathOf(folder, file)))
  const stats = await Promise.all(paths.map((path) => stat(path, { bigint: true })))
  const newestMs = Math.max(...stats.map(({ ctimeMs }) => Number(ctimeMs)))
  const lines = stats.map(({ dev, ino, size, mtimeNs, ctimeNs }, i) =>
    [files[i], dev, ino, size, mtimeNs, ctimeNs].join(' '),
  )
  return { state: lines.join('\n'), isSettled: Date.now() - newestMs > settledMs }
}

async function hashFiles(folder: string, files: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(`encoder ${encoderVersion}\n`)
  for (const file of files) await addFile(hash, folder, file)
  return hash.digest('hex')
}

async function listFiles(folder: string): Promise<string[]> {
  const modules = v.parse(
    v.array(v.object({ path: v.string() })),
    JSON.parse(
      (await readWhole(join(folder, 'modules.json'), maxMebibytes.settings)).toString('utf8'),
    ),
  )
  const folders = new Set(['', ...modules.map(({ path }) => path)])
  const files = await Promise.all(
    [...folders].map(async (module) => [
      ...(await namesIn(join(folder, module), module, settingsFile)),
      ...(module === '' ? [] : await namesIn(join(folder, module), module, weightsFile)),
      ...(await namesIn(join(folder, module, 'onnx'), join(module, 'onnx'), onnxFile)),
    ]),
  )
  return files.flat()
}

/** Modules without settings, such as Normalize, often have no folder. */
async function namesIn(folder: string, module: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => pattern.test(name)).map((name) => join(module, name))
}

/** A millisecond of hashing. */
const pieceBytes = 2 ** 20

/** A tokenizer that another model has counts as if it were a file of this one. */
async function pathOf(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  return basename(name) === 'tokenizer.json' ? tokenizerFile(dirname(path)) : path
}

async function addFile(hash: Hash, folder: string, name: string): Promise<void> {
  const file = await open(await pathOf(folder, name))
  try {
    const { size } = await file.stat()
    hash.update(`${name} ${size}\n`)
    for await (const piece of file.createReadStream({
      highWaterMark: pieceBytes,
      autoClose: false,
    }))
      hash.update(piece as Buffer)
  } finally {
    await file.close()
  }
}
