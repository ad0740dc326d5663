/**
 * `npm run package [-- PLATFORM…]`: the packages of a release in packages/. `synoptic` is what `npm pack` makes, without
 * scripts of an install. Its libraries of others, ONNX Runtime and the tokenizers, come for one platform each as
 * @synoptic/native-<platform>-<processor>, and npm installs the one that fits: 50 MB instead of 350, and no script of
 * theirs. The large built-in model is @synoptic/minilm-anime, that of other languages @synoptic/e5-small, where
 * tools/e5-small has made it. Named platforms are packed alone, into the folder of `--to`.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { extract } from 'tar'

const root = fileURLToPath(new URL('../../', import.meta.url))
const modules = join(root, 'node_modules')
const manifest = readJson(join(root, 'package.json'))
const { version, engines } = manifest
/** Those that ONNX Runtime has a library for and Synoptic an addon; the suffix of the tokenizers' library. */
const platforms = {
  'linux-x64': 'linux-x64-gnu',
  'linux-arm64': 'linux-arm64-gnu',
  'darwin-arm64': 'darwin-arm64',
  'win32-x64': 'win32-x64-msvc',
}
const modelPackage = '@synoptic/minilm-anime'
const { values, positionals } = parseArgs({
  options: { to: { type: 'string', default: join(root, 'packages') } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !Object.hasOwn(platforms, name))
if (unknown.length > 0) fail(`expected ${Object.keys(platforms).join(', ')}; received ${unknown}`)
if (!existsSync(join(root, 'dist', 'web'))) fail('the program is not built; run `npm run package`')

const wanted = positionals.length > 0 ? positionals : Object.keys(platforms)
const coreless = wanted.filter(
  (name) => !existsSync(join(root, 'prebuilds', name, 'synoptic.node')),
)

if (coreless.length > 0)
  console.error(
    `package: WITHOUT the compiled core for ${coreless.join(', ')}: an install has to compile it (\`synoptic compile\`). ` +
      'For a package that brings it: `pip install ziglang && npm run prebuild`, then this command again',
  )

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-package-'))
try {
  mkdirSync(values.to, { recursive: true })
  await packProgram()
  packModel()
  packLanguages()
  for (const name of wanted) packNative(name)
} finally {
  rmSync(scratch, { recursive: true })
}

/** Packed twice: npm knows what belongs to a package, and only what is packed can have another package.json. */
async function packProgram() {
  const folder = join(scratch, 'synoptic')
  mkdirSync(folder)
  const file = pack(root, scratch)
  await extract({ file: join(scratch, file), cwd: folder, strip: 1 })
  const rest = without(manifest, ['scripts', 'devDependencies', 'allowScripts', 'scarfSettings'])
  const dependencies = without(rest.dependencies, ['onnxruntime-node', 'tokenizers'])
  const others = [...Object.keys(platforms).map(nameOf), modelPackage]
  const own = Object.fromEntries(others.map((name) => [name, version]))
  const optionalDependencies = { ...rest.optionalDependencies, ...own }
  writeJson(join(folder, 'package.json'), { ...rest, dependencies, optionalDependencies })
  report(pack(folder, values.to))
}

/** Optional as well: without it, `--search-encoder auto` searches with the small model. */
function packModel() {
  const folder = join(scratch, 'model')
  cpSync(join(root, 'models', 'builtin', 'minilm-anime'), folder, { recursive: true })
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  writeJson(join(folder, 'package.json'), {
    name: modelPackage,
    version,
    description: "Synoptic's encoder of what people remember of anime and manga.",
    license: 'Apache-2.0',
    engines,
  })
  report(pack(folder, values.to))
}

/** Nobody gets it unless they install it. */
function packLanguages() {
  const from = join(root, 'models', 'intfloat', 'multilingual-e5-small')
  const isMade = existsSync(join(from, 'LICENSE'))
  if (!isMade)
    return console.error('package: WITHOUT @synoptic/e5-small: run tools/e5-small/rebuild.sh')
  const folder = join(scratch, 'languages')
  cpSync(from, folder, { recursive: true })
  writeJson(join(folder, 'package.json'), {
    name: '@synoptic/e5-small',
    version,
    description:
      'multilingual-e5-small in 4 bits: Synoptic finds works by queries in other languages with it.',
    license: 'MIT',
    engines,
  })
  report(pack(folder, values.to))
}

function packNative(name) {
  const folder = join(scratch, name)
  const [os, cpu] = name.split('-')
  const runtime = copyPackage('onnxruntime-node', folder, ['dist', 'script/install-metadata.js'])
  const libraries = join('bin', 'napi-v6', os, cpu)
  cpSync(join(modules, 'onnxruntime-node', libraries), join(runtime, libraries), {
    recursive: true,
  })
  cpSync(join(root, 'tools', 'package', 'LICENSE-onnxruntime'), join(runtime, 'LICENSE'))
  const library = `tokenizers.${platforms[name]}.node`
  copyPackage('tokenizers', folder, ['LICENSE', 'index.js', library])
  cpSync(join(root, 'tools', 'package', 'README.md'), join(folder, 'README.md'))
  // The text of Apache-2.0, which the tokenizers' package does not bring.
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  const { dependencies } = readJson(join(modules, 'onnxruntime-node', 'package.json'))
  writeJson(join(folder, 'package.json'), {
    name: nameOf(name),
    version,
    description: `The libraries of ONNX Runtime and of the tokenizers that Synoptic uses on ${name}.`,
    license: 'MIT AND Apache-2.0',
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' && { libc: ['glibc'] }),
    engines,
    dependencies: { 'onnxruntime-common': dependencies['onnxruntime-common'] },
  })
  report(pack(folder, values.to))
}

/** Some files of a package, and of its package.json what Node reads: no script, for none is needed. */
function copyPackage(name, folder, files) {
  const from = join(modules, name)
  const to = join(folder, name)
  mkdirSync(to, { recursive: true })
  const isWanted = (path) => !/\.(map|d\.ts)$/.test(path)
  for (const file of files)
    cpSync(join(from, file), join(to, file), { recursive: true, filter: isWanted })
  const { version, license, main = 'index.js', repository } = readJson(join(from, 'package.json'))
  writeJson(join(to, 'package.json'), { name, version, license, main, repository })
  return to
}

/** The name of the file that npm makes. */
function pack(cwd, to) {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', to]
  const { status, stdout, stderr } = spawnSync('npm', words, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1e8,
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail(stderr)
  // npm 12 names the package; those before it list one.
  const [{ filename }] = Object.values(JSON.parse(stdout))
  return filename.replace('@', '').replace('/', '-')
}

function report(file) {
  const { size } = statSync(join(values.to, file))
  console.log(`${(size / 1e6).toFixed(1).padStart(6)} MB  ${file}`)
}

function without(members, names) {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

function nameOf(platform) {
  return `@synoptic/native-${platform}`
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`)
}

function fail(message) {
  console.error(`package: ${message}`)
  process.exit(1)
}
