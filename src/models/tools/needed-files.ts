/** Which files of a repository a model needs: those that models/README.md lists, and no others. */
import { posix } from 'node:path'
import * as v from 'valibot'

export const dtypes = ['fp32', 'fp16', 'int8'] as const
export type Dtype = (typeof dtypes)[number]

export interface NeededFiles {
  /** Paths in the repository. */
  readonly files: readonly string[]
  /** The network among them, which is installed as onnx/model.onnx with its external data. */
  readonly network: string
  /** Weights of PyTorch among them, from which a network is still to be made. */
  readonly weights: readonly string[]
}

/** What a repository lacks; the message says what was expected. */
export class NeededFileError extends Error {
  override readonly name = 'NeededFileError'
}

const tokenizerFiles = [
  'tokenizer.json',
  'tokenizer_config.json',
  'special_tokens_map.json',
  'config.json',
]
const inputFile = /^sentence_[\w-]+_config\.json$/

/**
 * Of a cross-encoder, or of a model whose modules are known.
 * @param paths all files of the repository
 * @param modules content of modules.json; undefined of a cross-encoder without one
 * @param dtype `weights` for those of PyTorch instead of the network
 */
export function neededFiles(
  name: string,
  paths: ReadonlySet<string>,
  modules: string | undefined,
  dtype: Dtype | 'weights',
): NeededFiles {
  const steps = modules === undefined ? [] : readModules(modules)
  const [first, ...rest] = steps.length === 0 ? [{ path: '', kind: 'Transformer' }] : steps
  const root = first?.path ?? ''
  const isExport = dtype === 'weights'
  const weights = isExport ? findWeights(paths, root) : []
  const folders = [posix.join(root, 'onnx'), 'onnx']
  const network = isExport
    ? posix.join(root, 'onnx/model.onnx')
    : findNetwork(name, paths, folders, dtype)
  const needed = [
    ...(modules === undefined ? [] : ['modules.json']),
    'config_sentence_transformers.json',
    ...tokenizerFiles,
    ...tokenizerFiles.map((name) => posix.join(root, name)),
    ...[...paths].filter((path) => isIn(root, path) && inputFile.test(posix.basename(path))),
    ...rest.flatMap(({ path, kind }) => moduleFiles(paths, path, kind)),
    ...(isExport ? weights : withExternalData(paths, network)),
  ]
  const files = [...new Set(needed)].filter((path) => paths.has(path) && isPlain(path))
  if (!files.some((path) => posix.basename(path) === 'tokenizer.json')) {
    throw new NeededFileError('expected a tokenizer.json, which its repository has not')
  }
  return { files, network, weights }
}

/** Names of external data begin with that of their network. */
const withExternalData = (paths: ReadonlySet<string>, network: string): string[] => [
  network,
  ...[...paths].filter((path) => path.startsWith(`${network}_`) || path.startsWith(`${network}.`)),
]

/** In one file or, of large models, in several and an index. */
const weightFiles = [
  /^model(-\d+-of-\d+)?\.safetensors(\.index\.json)?$/,
  /^pytorch_model(-\d+-of-\d+)?\.bin(\.index\.json)?$/,
]

function findWeights(paths: ReadonlySet<string>, root: string): string[] {
  const inFolder = [...paths].filter((path) => isIn(root, path))
  for (const pattern of weightFiles) {
    const found = inFolder.filter((path) => pattern.test(posix.basename(path)))
    if (found.length > 0) return found
  }
  throw new NeededFileError('expected model.safetensors or pytorch_model.bin, found neither')
}

/** A path of somebody else's becomes one of this machine: it has to stay in its folder. */
const modulePath = v.pipe(
  v.string(),
  v.check(
    (path) => path === '' || isPlain(path.replace(/\/$/, '')),
    'expected a folder of the repository',
  ),
)
const modulesFile = v.pipe(
  v.string(),
  v.parseJson(),
  v.pipe(v.array(v.object({ path: modulePath, type: v.string() })), v.minLength(1)),
)

function readModules(text: string) {
  const result = v.safeParse(modulesFile, text)
  if (!result.success) {
    const [issue] = result.issues
    throw new NeededFileError(`modules.json: ${v.getDotPath(issue) ?? 'file'}: ${issue.message}`)
  }
  return result.output.map(({ path, type }) => ({ path, kind: type.split('.').at(-1) ?? '' }))
}

/** Names nothing outside, on any system. */
function isPlain(path: string): boolean {
  const parts = path.split('/')
  return !/[\\:\0]/.test(path) && !parts.some((part) => ['', '.', '..'].includes(part))
}

const isIn = (folder: string, path: string) =>
  posix.dirname(path) === (folder === '' ? '.' : posix.normalize(folder))

function moduleFiles(paths: ReadonlySet<string>, folder: string, kind: string): string[] {
  const weights = ['model.safetensors', 'pytorch_model.bin'].map((name) => posix.join(folder, name))
  const found = kind === 'Dense' ? weights.find((path) => paths.has(path)) : undefined
  return [posix.join(folder, 'config.json'), ...(found === undefined ? [] : [found])]
}

/**
 * Publishers name the same thing differently. The int8 files for AVX2 give the same numbers on every
 * x64; those for AVX-512 overflow where its dot products are missing.
 */
const names: Readonly<Record<Dtype, readonly string[]>> = {
  fp32: ['model.onnx'],
  fp16: ['model_fp16.onnx', 'model_O4.onnx'],
  int8: [
    process.arch === 'arm64' ? 'model_qint8_arm64.onnx' : 'model_quint8_avx2.onnx',
    'model_int8.onnx',
    'model_quantized.onnx',
  ],
}

function findNetwork(
  name: string,
  paths: ReadonlySet<string>,
  folders: readonly string[],
  dtype: Dtype,
): string {
  const candidates = folders.flatMap((folder) => names[dtype].map((name) => `${folder}/${name}`))
  const network = candidates.find((path) => paths.has(path))
  if (network !== undefined) return network
  const published = [...paths].filter((path) => path.endsWith('.onnx'))
  const instead =
    published.length === 0
      ? `has no ONNX file, which \`synoptic models export ${name}\` makes of its weights`
      : `has ${published.join(', ')}`
  const expected = [...new Set(candidates)].join(' or ')
  throw new NeededFileError(`expected ${expected} for ${dtype}; its repository ${instead}`)
}
