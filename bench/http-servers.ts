/** The servers of the HTTP trials: one with real synopses where they are installed, and a bare one. */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { catalogueFile, openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
import { importDatasets } from '#synoptic/data/datasets/import.js'
import { buildEmbeddings } from '#synoptic/data/embed/build.js'
import { createEncoders } from '#synoptic/models/residency/encoders.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const data = process.env.SYNOPTIC_TEST_DATA ?? join(project, '../shared/data')

export interface Servers {
  readonly ours: Server
  /** Another one of ours, on the same data. */
  readonly startOurs: (
    words: readonly string[],
    nodeFlags?: readonly string[],
  ) => Promise<LoggingServer>
  /** Returns a few bytes for every request. */
  readonly bare: Server
  /** Bodies for /searchmodel/anime that ask for many different works. */
  readonly questions: readonly string[]
}

/** @param words settings of our server */
export async function withServers(
  words: readonly string[],
  print: (line: string) => void,
  task: (servers: Servers) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-bench-'))
  const children: ChildProcess[] = []
  try {
    const questions = await prepare(folder, print)
    const startOurs = async (words: readonly string[], nodeFlags: readonly string[] = []) => {
      const logFile = join(folder, `${children.length}.log`)
      const settings = ['--port', '0', '--host', '127.0.0.1', '--rate-limit', '0', ...words]
      const command = [...nodeFlags, ...serveCommand(), '--log-file', logFile, ...settings]
      return { logFile, ...(await startChild(children, folder, command)) }
    }
    const ours = await startOurs(['--workers', '1', ...words])
    const bare = await startChild(children, folder, bareServer)
    await task({ ours, startOurs, bare, questions })
  } finally {
    for (const child of children) child.kill()
    rmSync(folder, { recursive: true })
  }
}

/** Words of `npm start`, with the flags that it gives Node. */
export function serveCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string }
  }
  const [, ...words] = scripts.start.split(' ')
  return words.map((word) => (word.endsWith('.js') ? join(project, word) : word))
}

/** Arguments of a node:http server that returns a few bytes: what HTTP alone costs on this machine. */
export const bareServer: readonly string[] = [
  '--input-type=module',
  '-e',
  `import { createServer } from 'node:http'
const server = createServer((request, response) => {
  request.resume().on('end', () => response.end('{"hello":"world"}'))
})
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`,
]

/** Builds a catalogue and its embeddings. Returns bodies that search for many different works. */
async function prepare(folder: string, print: (line: string) => void): Promise<string[]> {
  const isReal = existsSync(join(data, 'anime4500.csv'))
  const names = isReal ? ['sources/anime4500', 'sources/anime/08-anime-data'] : ['sample/anime']
  const mappings = names.map((name) => join(project, 'data', `${name}.json`))
  const into = catalogueFile(join(folder, 'data'))
  await importDatasets(mappings, { into, ...(isReal ? { from: data } : {}) })
  const catalogue = openCatalogue(into)
  const encoders = createEncoders()
  const model = requireInstalled(builtinModel, { modelsDir: 'models' })
  const { folder: modelFolder } = model
  const encoder = await encoders.get(model)
  const embeddingsDir = join(folder, 'embeddings')
  const { texts } = await buildEmbeddings({
    catalogue,
    encoder,
    modelFolder,
    embeddingsDir,
    dataset: 'anime',
  })
  print(`${catalogue.dataset('anime')?.rows ?? 0} entries, ${texts} different texts`)
  const all = [...catalogue.texts('anime', 0)]
  const step = Math.max(1, Math.floor(all.length / 200))
  await encoders.close()
  catalogue.close()
  return all
    .filter((_, position) => position % step === 0)
    .map(({ text }) => text.replace(/\s+/g, ' ').slice(0, 200))
    .map((description) => JSON.stringify({ model: builtinModel, description }))
}

export interface Server {
  readonly origin: string
  readonly pid: number
}

interface LoggingServer extends Server {
  readonly logFile: string
}

/** Resolves when it has printed its address; the caller ends the children of its list. */
export async function startChild(
  children: ChildProcess[],
  cwd: string,
  words: readonly string[],
): Promise<Server> {
  const child = spawn(process.execPath, words, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [origin] = /http:\S+:\d+/.exec(output) ?? []
      if (origin !== undefined) resolve({ origin, pid: child.pid ?? 0 })
    })
    child.once('exit', (status) => reject(new Error(`the server ended with status ${status}`)))
  })
}
