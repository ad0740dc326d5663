/**
 * The addon of a release, for a clone without a compiler: SYNOPTIC_ADDON_URL names the folder that holds addons.json,
 * such as the downloads of a release. It is taken only if it was built from the same native sources as the clone has,
 * and its SHA-256 is the listed one. `node tools/released-addon.js FOLDER` writes the files of a release.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const listName = 'addons.json'
const timeoutMs = 300_000
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

/**
 * Writes the released addon of this platform to `file`.
 * @param base address of the folder with addons.json
 * @param root the clone
 * @throws Error that says why the addon does not fit
 */
export async function fetchReleasedAddon(base, root, file) {
  const address = (name) => new URL(name, base.endsWith('/') ? base : `${base}/`)
  const { sources, addons } = JSON.parse(await get(address(listName)))
  if (sources !== sourcesHash(root)) throw new Error('it was built from other native sources')
  const platform = platformName()
  const listed = addons?.[platform]
  if (listed === undefined) throw new Error(`the release has none for ${platform}`)
  const bytes = await get(address(fileName(platform)))
  if (sha256(bytes) !== listed)
    throw new Error(`expected the SHA-256 ${listed}, received ${sha256(bytes)}`)
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.fetched`
  writeFileSync(temporary, bytes)
  const script = `process.dlopen({ exports: {} }, ${JSON.stringify(temporary)})`
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' })
  if (status === 0) return renameSync(temporary, file)
  rmSync(temporary)
  throw new Error(`it does not load: ${/^Error: (.*)/m.exec(stderr)?.[1] ?? `status ${status}`}`)
}

/** Of the files from which the addon is compiled, whatever their ends of lines. */
export function sourcesHash(root) {
  const files = readdirSync(join(root, 'native'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('native', name).replaceAll('\\', '/'))
    .filter((name) => /\.(?:h|c|cpp|cu|cuh|txt|cmake)$/.test(name) && !/\/tests?\//.test(name))
  const hash = createHash('sha256')
  for (const name of ['CMakeLists.txt', ...files.toSorted()]) {
    hash.update(`${name}\n${readFileSync(join(root, name), 'utf8').replaceAll('\r\n', '\n')}\n`)
  }
  return hash.digest('hex')
}

/** Writes addons.json and the addons of prebuilds/ into a folder. */
export function writeRelease(root, into) {
  const prebuilds = join(root, 'prebuilds')
  const found = readdirSync(prebuilds).flatMap((platform) => {
    const file = join(prebuilds, platform, 'synoptic.node')
    return existsSync(file) ? [[platform, file]] : []
  })
  if (found.length === 0) throw new Error(`${relative(root, prebuilds)} has no addon`)
  mkdirSync(into, { recursive: true })
  for (const [platform, file] of found) cpSync(file, join(into, fileName(platform)))
  const addons = Object.fromEntries(
    found.map(([platform, file]) => [platform, sha256(readFileSync(file))]),
  )
  const list = { sources: sourcesHash(root), addons }
  writeFileSync(join(into, listName), `${JSON.stringify(list, null, 2)}\n`)
}

const fileName = (platform) => `synoptic-${platform}.node`

/** As src/native/addon/prebuilt.ts names it, which is not compiled yet where this runs. */
export function platformName() {
  const isMusl =
    process.platform === 'linux' &&
    process.report.getReport().header.glibcVersionRuntime === undefined
  return `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`
}

async function get(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = process.argv
  if (folder === undefined) {
    console.error('node tools/released-addon.js FOLDER')
    process.exit(2)
  }
  writeRelease(fileURLToPath(new URL('..', import.meta.url)), resolve(folder))
}
