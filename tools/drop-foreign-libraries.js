/**
 * A step of the production install: removes what packages bring for other platforms and does not run here. Usage:
 * `node tools/drop-foreign-libraries.js [FOLDER]`, with the folder of node_modules. Prints what was removed.
 */
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const modules = process.argv[2] ?? 'node_modules'
/** Folders of the form <platform>/<architecture>. */
const runtime = join(modules, 'onnxruntime-node', 'bin')
const own = [process.platform, process.arch]

if (!existsSync(runtime)) {
  console.error(`${runtime} is not there; run \`npm ci\` first`)
  process.exit(1)
}
let bytes = 0
for (const version of readdirSync(runtime)) {
  const folder = join(runtime, version)
  // Without libraries for this machine something is wrong, and nothing is removed.
  if (!existsSync(join(folder, ...own))) continue
  for (const platform of readdirSync(folder)) {
    const [first, second] = own
    if (platform !== first) remove(join(folder, platform))
    else {
      for (const architecture of readdirSync(join(folder, platform)))
        if (architecture !== second) remove(join(folder, platform, architecture))
    }
  }
}
const libraries = join(modules, 'tokenizers')
const files = existsSync(libraries) ? readdirSync(libraries) : []
const isLibrary = (name) => /^tokenizers\..+\.node$/.test(name)
/** `universal` is for every architecture of macOS; Linux has one library for each C library. */
const isOwn = (name) =>
  [process.arch, 'universal'].some((architecture) =>
    new RegExp(`^tokenizers\\.${process.platform}-${architecture}[-.]`).test(name),
  )
if (files.some((name) => isLibrary(name) && isOwn(name))) {
  for (const name of files) if (isLibrary(name) && !isOwn(name)) remove(join(libraries, name))
}
/** Linux has one for each C library here too. */
const databases = join(modules, 'better-sqlite3', 'prebuilds')
const ownDatabase = new RegExp(`^${process.platform}(musl)?-${process.arch}\\.node$`)
const prebuilt = existsSync(databases) ? readdirSync(databases) : []
if (prebuilt.some((name) => ownDatabase.test(name))) {
  for (const name of prebuilt) if (!ownDatabase.test(name)) remove(join(databases, name))
}
console.log(`removed ${Math.round(bytes / 1e6)} MB of libraries for other platforms`)

function remove(folder) {
  bytes += sizeOf(folder)
  rmSync(folder, { recursive: true })
}

function sizeOf(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
