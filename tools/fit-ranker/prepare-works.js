/** The built-in works as a separate catalogue, embedded, which queries of kinds and descriptions of works search. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs a program of node's, and returns what it prints. */
export const run = (...words) =>
  execFileSync(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })

/**
 * Imports and embeds unless the folder has it already.
 * @param {{ work?: string, 'models-dir': string, encoders: readonly string[] }} options
 */
export function prepareWorks({ work: folder, 'models-dir': modelsDir, encoders }) {
  const work = folder ?? mkdtempSync(join(tmpdir(), 'synoptic-works-'))
  mkdirSync(work, { recursive: true })
  const places = {
    work,
    dataDir: join(work, 'data'),
    embeddingsDir: join(work, 'embeddings'),
    modelsDir,
  }
  const sources = ['data/works/anime.json', 'data/works/manga.json']
  if (!existsSync(places.dataDir))
    run('dist/cli.js', 'data', 'import', ...sources, ...flags(places))
  for (const model of encoders) {
    run(
      'dist/cli.js',
      'embed',
      'build',
      '--model',
      model,
      ...flags(places),
      '--models-dir',
      modelsDir,
    )
  }
  return places
}

export const flags = ({ dataDir, embeddingsDir }) => [
  '--data-dir',
  dataDir,
  '--embeddings-dir',
  embeddingsDir,
]

/**
 * Those of a server that was started without a word.
 * @param places what prepareWorks returned
 * @param dist the build whose defaults they are
 */
export async function searchSettings({ modelsDir, ...places }, dist = ownDist) {
  const [{ readSettings }, { serverSettings }] = await Promise.all(
    ['read.js', 'settings.js'].map((file) => import(join(dist, 'base/config', file))),
  )
  const given = [
    ...flags(places),
    '--models-dir',
    modelsDir,
    '--query-cache',
    '0',
    '--workers',
    '1',
  ]
  return readSettings(serverSettings, given, {}).settings
}

const ownDist = join(import.meta.dirname, '../../dist')
