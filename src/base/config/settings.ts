/**
 * The settings table. A row is a flag (`--log-level`), an environment variable (`SYNOPTIC_LOG_LEVEL`),
 * a key of the configuration file (`logLevel`), a default and a sentence. src/base/config/read.ts reads
 * them in that order of precedence; src/base/config/help.ts prints them.
 */
import { availableParallelism } from 'node:os'
import { accessRows, hostRows, keyRows } from './access-rows.js'
import { anilistRows, listRows } from './anilist-rows.js'
import { adultWorks, workKinds } from './work-kinds.js'
import { routeGroups } from './route-groups.js'
import { device, gpuMemory, integer, listOf, number, oneOf, path, text } from './schemas.js'
import { pageRows } from './page-rows.js'
import { commonSettings, logRows } from './common-rows.js'
import { indexRows } from './index-rows.js'
import { rateRows } from './rate-rows.js'
import { row, type SettingsOf } from './setting.js'
import { timeRows } from './time-rows.js'
import { v1Rows } from './v1-rows.js'
import { writeRows } from './write-rows.js'

const isOrigin = (word: string) =>
  ['auto', '*'].includes(word) || (URL.canParse(word) && new URL(word).origin === word)
const isToken = (word: string) => /^[\w!#$%&'*+.^`|~-]+$/.test(word)
const isWorkKind = (word: string) => word === 'none' || workKinds.some((kind) => kind === word)
const isRouteGroup = (word: string) => word === 'all' || routeGroups.some((group) => group === word)

/** Settings of `synoptic serve`. */
export const serverSettings = {
  ...commonSettings,
  fineTunedDir: row(
    path,
    'fine-tuned',
    '<folder>',
    'Folder that holds fine-tuned models. A relative path starts at --models-dir.',
  ),
  host: row(
    text,
    '127.0.0.1',
    '<address>',
    'Address to listen on. 127.0.0.1 serves this machine alone, 0.0.0.0 everybody who reaches it.',
  ),
  ...hostRows,
  port: row(integer(0, 65_535), 8000, '<n>', 'Port to listen on. 0 picks a free port.'),
  workers: row(
    integer(1, 1024),
    Math.max(1, Math.floor(availableParallelism() / 2)),
    '<n>',
    'Number of server processes. The default is half of the CPUs.',
  ),
  threads: row(
    integer(0, 1024),
    0,
    '<n>',
    'Threads for encoding and scanning in each process. 0 divides the CPUs among the processes.',
  ),
  limitConcurrency: row(
    integer(1, 1_000_000),
    50,
    '<n>',
    'Requests that one process handles at the same time. It refuses more with status 503.',
  ),
  ...timeRows,
  bodyLimit: row(integer(1024, 2 ** 30), 2 ** 20, '<bytes>', 'Maximum size of a request body.'),
  transferMemory: row(
    integer(1, 2 ** 20),
    128,
    '<MiB>',
    'Memory in each process for request bodies that are arriving and responses that clients have not read. ' +
      'When it is used up, the oldest are cut off.',
  ),
  corsOrigins: row(
    listOf(isOrigin, 'origins such as https://example.org, without a path, * or auto'),
    'auto',
    '<list>',
    "Web origins that may call the server from a browser. auto: only the server's own page if --host is this " +
      'machine alone, else all of them, except for /mcp, /feedback and /status.',
  ),
  corsMethods: row(
    listOf(isToken, 'HTTP methods, or *'),
    '*',
    '<list>',
    'HTTP methods that these origins may use.',
  ),
  corsHeaders: row(
    listOf(isToken, 'header names, or *'),
    '*',
    '<list>',
    'Headers that these origins may send.',
  ),
  enableRoutes: row(
    listOf(isRouteGroup, `all, or a list of ${routeGroups.join(', ')}`),
    'all',
    '<list>',
    `Route groups to serve: ${routeGroups.join(', ')}.`,
  ),
  ...pageRows,
  ...accessRows,
  ...rateRows,
  ...v1Rows,
  ...writeRows,
  idleTimeout: row(
    number(0, 31_536_000),
    300,
    '<s>',
    'Seconds without use after which the server releases models and embeddings. 0 keeps them.',
  ),
  crossEncoder: row(
    text,
    'builtin/maxsim-en',
    '<model>',
    'Default ranker of /search: a name that GET /models lists, or a fine-tuned model.',
  ),
  searchEncoder: row(
    text,
    'auto',
    '<model>',
    'Encoder of /search: builtin/static-en (quickest), builtin/minilm-anime, encoders/all-MiniLM-L6-v2, or auto: ' +
      'minilm-anime once a server has embedded the works with it in the background, static-en until then.',
  ),
  adult: row(
    oneOf(adultWorks),
    'exclude',
    '<which>',
    'Works for adults in searches whose request does not say: include or exclude.',
  ),
  popularity: row(
    number(0, 10),
    0.15,
    '<weight>',
    'How strongly builtin/maxsim-en prefers popular works. 0 ignores popularity.',
  ),
  rankerWeights: row(
    path,
    'none',
    '<file>',
    'Weights of titles, facts and likeness that `synoptic ranker fit` wrote. none uses those that ship.',
  ),
  vocabulary: row(
    path,
    'none',
    '<file>',
    'Your own words for tags, genres, studios and others, as JSON; a reload reads it again. none uses those that ship.',
  ),
  gpuMemoryLimit: row(
    gpuMemory,
    'auto',
    '<n>',
    'GPU memory for searches, divided among the processes: bytes, a percentage such as 50%, or auto (all ' +
      'free memory except 512 MiB; none with --device cpu). 0 disables the GPU for searches.',
  ),
  modelMemoryLimit: row(
    integer(0, 2 ** 30),
    0,
    '<MiB>',
    'Memory for loaded models in each process. 0 divides half of the RAM among the processes.',
  ),
  queryCache: row(
    integer(0, 2 ** 20),
    16,
    '<MiB>',
    'Memory for cached query vectors in each process. 0 disables the cache.',
  ),
  device: row(
    device,
    'auto',
    '<device>',
    'Device of the models: auto (a GPU if there is one), cpu, cuda or cuda:N. Searches use the same GPU.',
  ),
  ...indexRows,
  ...anilistRows,
  ...listRows,
  ...logRows,
} as const

/** Settings of the commands of a search engine's indices. */
export const indexSettings = {
  ...commonSettings,
  indexUrl: indexRows.indexUrl,
  indexCa: indexRows.indexCa,
  indexPrefix: indexRows.indexPrefix,
  indexTimeout: indexRows.indexTimeout,
  indexCandidates: indexRows.indexCandidates,
} as const

/** Settings of `synoptic eval`. */
export const evalSettings = {
  ...commonSettings,
  fineTunedDir: serverSettings.fineTunedDir,
  searchEncoder: serverSettings.searchEncoder,
  popularity: serverSettings.popularity,
  rankerWeights: serverSettings.rankerWeights,
} as const

/** Settings of `synoptic data import` and `data merge`. */
export const importSettings = {
  ...commonSettings,
  leaveOut: row(
    listOf(isWorkKind, `none, or a list of ${workKinds.join(', ')}`),
    'none',
    '<list>',
    `Kinds of works to exclude after the sources are joined: ${workKinds.join(', ')}.`,
  ),
  works: row(
    oneOf(['on', 'off']),
    'on',
    '<on|off>',
    'Whether the included works add facts, tags, other titles and descriptions to yours.',
  ),
} as const

/** Settings of `synoptic data update`, which embeds what it has imported. */
export const updateSettings = { ...importSettings, device: serverSettings.device } as const

/** Settings of `synoptic gpu plan`. */
export const gpuSettings = {
  ...commonSettings,
  gpuMemoryLimit: serverSettings.gpuMemoryLimit,
  workers: serverSettings.workers,
} as const

/** Settings of the commands that build embeddings. */
export const embedSettings = { ...commonSettings, device: serverSettings.device } as const

/** Settings of the commands of the keys. */
export const keySettings = { ...commonSettings, ...keyRows } as const

/** Settings of the commands that call AniList. */
export const anilistSettings = { ...commonSettings, ...anilistRows } as const

/** Every key that a configuration file may hold. All commands share one file. */
export const settingNames: readonly string[] = Object.keys({
  ...serverSettings,
  ...importSettings,
  ...anilistSettings,
})

export { commonSettings } from './common-rows.js'
export type { SettingsOf, SettingsTable } from './setting.js'
export type Settings = SettingsOf<typeof commonSettings>
export type EmbedSettings = SettingsOf<typeof embedSettings>
export type IndexSettings = SettingsOf<typeof indexRows>
export type PublishSettings = SettingsOf<typeof indexSettings>
export type EvalSettings = SettingsOf<typeof evalSettings>
export type ImportSettings = SettingsOf<typeof importSettings>
export type UpdateSettings = SettingsOf<typeof updateSettings>
export type KeySettings = SettingsOf<typeof keySettings>
export type ServerSettings = SettingsOf<typeof serverSettings>
