/**
 * `npm run prebuild:try [PLATFORM…]`: runs the addon's own tests on the addons of `npm run prebuild`, each in a Node of
 * its platform, and says which of the libraries that a server also needs load there. It names what is missing for a platform.
 * Everything lies in build-prebuild/.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { nodes, Unavailable } from './try/nodes.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const work = join(root, 'build-prebuild')
/** Of test/native, without those of packages and compilers. */
const isTest = (name) => name.endsWith('.test.js') && name !== 'prebuilt.test.js'

/** For one file of tests: an emulation may hang. */
const limitMinutes = 10

const named = process.argv.slice(2)
const unknown = named.filter((name) => !Object.hasOwn(nodes, name))
if (unknown.length > 0) {
  console.error(`prebuild:try: expected ${Object.keys(nodes).join(', ')}; received ${unknown}`)
  process.exit(1)
}
let failed = false
for (const name of named.length > 0 ? named : Object.keys(nodes)) {
  console.log(`\n== ${name}`)
  try {
    if (!tryOn(name)) failed = true
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error
    console.log(`skipped: needs ${error.message}`)
  }
}
process.exitCode = failed ? 1 : 0

function tryOn(name) {
  const addon = join(root, 'prebuilds', name, 'synoptic.node')
  if (!existsSync(addon))
    throw new Unavailable(`${relative(root, addon)}: npm run prebuild ${name}`)
  const tools = join(work, `tools-${name}`)
  mkdirSync(tools, { recursive: true })
  const node = nodes[name](tools)
  const project = makeProject(name, addon)
  const run = (words) => runOn(node, words, project)
  console.log(
    `Node ${run(['-p', 'process.version + " " + process.platform + " " + process.arch']).text.trim()}`,
  )
  for (const library of ['ONNX Runtime', 'tokenizers', 'SQLite', 'what models run on']) {
    // Each in a process of its own: one that does not fit may end it.
    const { status, text } = run([join('tools', 'loads.js'), library])
    process.stdout.write(status === 0 ? text : `${library} ends the process\n`)
  }
  const tests = readdirSync(join(project, 'test', 'native')).filter(isTest)
  const failing = tests.filter((file) => {
    console.log(`-- ${file}`)
    const { status, text } = run([join('tools', 'run.js'), join('test', 'native', file)])
    process.stdout.write(text)
    if (status === null) console.log(`FAILED: not done in ${limitMinutes} minutes`)
    return status !== 0
  })
  console.log(`${name}: ${tests.length} files of tests, failed: ${failing.join(', ') || 'none'}`)
  return failing.length === 0
}

/** What the tests use of this project, as JavaScript, with that addon alone. */
function makeProject(name, addon) {
  mkdirSync(work, { recursive: true })
  const project = join(work, `try-${name}`)
  rmSync(project, { recursive: true, force: true })
  const put = (from, to = from) => cpSync(join(root, from), join(project, to), { recursive: true })
  for (const part of ['package.json', 'dist', 'models/builtin/static-en']) put(part)
  for (const file of ['run.js', 'loads.js']) put(`tools/prebuild/try/${file}`, `tools/${file}`)
  mkdirSync(join(project, 'prebuilds', name), { recursive: true })
  cpSync(addon, join(project, 'prebuilds', name, 'synoptic.node'))
  for (const folder of ['native', 'observability', 'helpers']) translate(`test/${folder}`, project)
  const modules = join(project, 'node_modules')
  mkdirSync(modules)
  for (const module of readdirSync(join(root, 'node_modules')))
    if (module !== 'vitest') symlinkSync(join(root, 'node_modules', module), join(modules, module))
  mkdirSync(join(modules, 'vitest'))
  put('tools/prebuild/try/vitest.js', 'node_modules/vitest/index.js')
  writeFileSync(join(modules, 'vitest', 'package.json'), '{"type":"module","main":"index.js"}')
  return project
}

function translate(folder, project) {
  mkdirSync(join(project, folder), { recursive: true })
  for (const file of readdirSync(join(root, folder))) {
    const source = readFileSync(join(root, folder, file), 'utf8')
    const target = join(project, folder, file.replace(/\.ts$/, '.js'))
    const isTyped = file.endsWith('.ts')
    writeFileSync(target, isTyped ? transformSync(source, { loader: 'ts' }).code : source)
  }
}

/** Wine takes no pipe for a console, so the output goes through a file. The status is null after the time limit. */
function runOn({ command: [program, ...first], env }, words, project) {
  const file = join(project, 'output.txt')
  const output = openSync(file, 'w')
  const { status } = spawnSync(program, [...first, ...words], {
    cwd: project,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
    timeout: limitMinutes * 60_000,
    killSignal: 'SIGKILL',
  })
  return { status, text: readFileSync(file, 'utf8') }
}
