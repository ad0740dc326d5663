/**
 * Bundles the program of dist/ into dist/bundle: a start reads a dozen files instead of 500, which saves a third of the
 * time until a command runs. dist/cli.js runs the bundle unless dist/ was compiled after it. Of packages, only the
 * detector of languages is bundled.
 */
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const output = join(dist, 'bundle')

/** The program, and what it starts in threads and processes of their own. */
const entries = [
  'cli/program.js',
  'data/catalogue/works-worker.js',
  'models/encoders/worker.js',
  'search/map/map-process.js',
  'server/serve/embed-process.js',
  'server/serve/merge-process.js',
  'server/serve/pending-process.js',
].map((name) => join(dist, name))
const bundleOf = (entry) => join(output, basename(entry))

const esbuild = await import('esbuild').catch(() => undefined)
// It is a devDependency: an install without it runs the files as they are.
if (esbuild !== undefined) {
  const { outputFiles } = await esbuild.build({
    entryPoints: entries.map((entry) => ({ in: entry, out: basename(entry, '.js') })),
    outdir: output,
    // What is written names files from there, and so the same on every machine.
    absWorkingDir: dist,
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    write: false,
    plugins: [
      { name: 'paths', setup: keepPaths },
      { name: 'language data', setup: parseLanguageData },
    ],
    logLevel: 'warning',
  })
  mkdirSync(output, { recursive: true })
  const isEntry = ({ path }) => entries.some((entry) => bundleOf(entry) === path)
  // The entries last: another process may start meanwhile. The names of the others change with their content.
  for (const file of outputFiles.toSorted((a, b) => isEntry(a) - isEntry(b))) {
    writeFileSync(`${file.path}.new`, file.contents)
    renameSync(`${file.path}.new`, file.path)
  }
  const written = new Set(outputFiles.map(({ path }) => basename(path)))
  for (const name of readdirSync(output)) if (!written.has(name)) rmSync(join(output, name))
}

/** Files find data, packages and other files from where they are themselves, which is another folder in the bundle. */
function keepPaths(build) {
  build.onLoad({ filter: /[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
    const place = JSON.stringify(relative(output, path).replaceAll('\\', '/'))
    const url = `new URL(${place}, import.meta.url).href`
    const contents = readFileSync(path, 'utf8').replaceAll(
      /new URL\('([^']+)', import\.meta\.url\)|import\.meta\.url/g,
      (code, name = '') => {
        const file = resolve(dirname(path), name)
        if (entries.includes(file)) return `new URL('${basename(file)}', import.meta.url)`
        return code.replace('import.meta.url', url)
      },
    )
    return { contents, loader: 'js' }
  })
}

/** V8 parses 1 MB of JSON faster than it compiles the same as JavaScript, which is how eld has its data: some 0.1 s of a start. */
function parseLanguageData(build) {
  build.onResolve({ filter: /^eld\// }, ({ path }) => ({
    path: fileURLToPath(import.meta.resolve(path)),
  }))
  build.onLoad({ filter: /[\\/]eld[\\/]src[\\/]ngrams[\\/]/ }, async ({ path }) => {
    const { ngramsData } = await import(pathToFileURL(path))
    const [notice] = readFileSync(path, 'utf8').match(/^\/\*[^]*?\*\//)
    const json = JSON.stringify(JSON.stringify(ngramsData))
    const contents = `${notice.replace('/*', '/*!')}\nexport const ngramsData = JSON.parse(${json})`
    return { contents, loader: 'js' }
  })
}
