/**
 * The settings table. A row is a flag (`--log-level`), an environment variable (`SYNOPTIC_LOG_LEVEL`),
 * a key of the configuration file (`logLevel`), a default and a sentence. src/config/read.ts reads
 * them in that order of precedence; src/config/help.ts prints them.
 */
import { availableParallelism } from 'node:os'
import * as v from 'valibot'
import { workKinds } from './work-kinds.js'
import { routeGroups } from './route-groups.js'
import {
  gpuMemory,
  httpUrl,
  integer,
  listOf,
  number,
  oneOf,
  onOrOff,
  path,
  rates,
  redisUrlOrMemory,
  text,
  trustedProxies,
} from './schemas.js'
import { row, type SettingsOf } from './setting.js'

/** What every command takes. */
export const commonSettings = {
  dataDir: row(path, 'data', '<folder>', 'Folder of the catalogue, catalogue.sqlite in it.'),
  embeddingsDir: row(path, 'embeddings', '<folder>', 'Folder of the embeddings store.'),
  modelsDir: row(path, 'models', '<folder>', 'Folder of downloaded and own models.'),
} as const

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const isOrigin = (word: string) =>
  word === '*' || (URL.canParse(word) && new URL(word).origin === word)
const device = 'expected auto, cpu, cuda or cuda:N'
const isToken = (word: string) => /^[\w!#$%&'*+.^`|~-]+$/.test(word)
const isWorkKind = (word: string) => word === 'none' || workKinds.some((kind) => kind === word)
const isRouteGroup = (word: string) => word === 'all' || routeGroups.some((group) => group === word)

/** Where AniList is, and who asks it. */
const anilistRows = {
  graphqlUrl: row(
    httpUrl,
    'https://graphql.anilist.co',
    '<url>',
    'Address of the GraphQL endpoint.',
  ),
  anilistConfig: row(
    path,
    'config.json',
    '<file>',
    'JSON file whose ACCESS_TOKEN is the bearer token.',
  ),
} as const

/** What `synoptic serve` takes besides. */
export const serverSettings = {
  ...commonSettings,
  fineTunedDir: row(
    path,
    'fine-tuned',
    '<folder>',
    'Folder of fine-tuned models; a relative path starts at --models-dir.',
  ),
  host: row(text, '0.0.0.0', '<address>', 'Address to bind.'),
  port: row(integer(0, 65_535), 8000, '<n>', 'Port to bind; 0 takes a free one.'),
  workers: row(
    integer(1, 1024),
    Math.max(1, Math.floor(availableParallelism() / 2)),
    '<n>',
    'Processes that serve; by default half of the CPUs.',
  ),
  threads: row(
    integer(0, 1024),
    0,
    '<n>',
    'Threads that encode and scan, in each process; 0 shares the CPUs among the processes.',
  ),
  limitConcurrency: row(
    integer(1, 1_000_000),
    50,
    '<n>',
    'Requests that one process answers at the same time; more are refused with 503.',
  ),
  timeout: row(number(1, 86_400), 30, '<s>', 'Seconds an idle keep-alive connection stays open.'),
  requestTimeout: row(
    number(0.1, 3600),
    30,
    '<s>',
    'Seconds a request may take, from its first byte to the answer.',
  ),
  bodyLimit: row(integer(1024, 2 ** 30), 65_536, '<bytes>', 'Largest request body.'),
  corsOrigins: row(
    listOf(isOrigin, 'origins such as https://example.org, without a path, or *'),
    '*',
    '<list>',
    'Origins that may call from a browser.',
  ),
  corsMethods: row(listOf(isToken, 'HTTP methods, or *'), '*', '<list>', 'Methods they may use.'),
  corsHeaders: row(listOf(isToken, 'header names, or *'), '*', '<list>', 'Headers they may send.'),
  enableRoutes: row(
    listOf(isRouteGroup, `all, or a list of ${routeGroups.join(', ')}`),
    'all',
    '<list>',
    `Groups of routes to serve: ${routeGroups.join(', ')}.`,
  ),
  rateLimit: row(
    rates,
    1,
    '<n>',
    'Requests per second and client address on /searchmodel, 0 for no limit; or a list by group of ' +
      'routes, such as searchmodel=1,search=0.5.',
  ),
  rateBurst: row(
    integer(1, 1_000_000),
    1,
    '<n>',
    'Requests that a client may send at once, in each group; the time to wait grows with them.',
  ),
  rateStore: row(
    redisUrlOrMemory,
    'memory',
    '<where>',
    'Where --rate-limit counts: memory, or redis://host:port for several servers together.',
  ),
  trustProxy: row(
    trustedProxies,
    0,
    '<who>',
    'Proxies whose X-Forwarded-For is trusted: their addresses and networks, such as ' +
      '10.0.0.0/8,::1, or how many of them stand in front.',
  ),
  idleTimeout: row(
    number(0, 31_536_000),
    300,
    '<s>',
    'Seconds without a request after which models and embeddings are released; 0 keeps them.',
  ),
  crossEncoder: row(
    text,
    'builtin/maxsim-en',
    '<model>',
    'Ranker of /search if a request names none: a name of GET /models, or a fine-tuned model.',
  ),
  searchEncoder: row(
    text,
    'builtin/static-en',
    '<model>',
    'Encoder of /search, whose embeddings it needs: builtin/static-en or encoders/all-MiniLM-L6-v2.',
  ),
  popularity: row(
    number(0, 10),
    0.2,
    '<weight>',
    'How much builtin/maxsim-en prefers well-known works, if the data tell; 0 for not at all.',
  ),
  gpuMemoryLimit: row(
    gpuMemory,
    'auto',
    '<n>',
    'Memory of a CUDA device that searches may use: bytes, a percentage such as 50%, 0 for none, or ' +
      'auto for all that is free but 512 MiB; shared among the processes.',
  ),
  modelMemoryLimit: row(
    integer(0, 2 ** 30),
    0,
    '<MiB>',
    'Memory for loaded models in each process; 0 shares half of the machine among the processes.',
  ),
  queryCache: row(
    integer(0, 2 ** 20),
    16,
    '<MiB>',
    'Memory for vectors of earlier queries in each process; 0 keeps none.',
  ),
  device: row(
    v.pipe(v.string(device), v.regex(/^(auto|cpu|cuda(:\d{1,3})?)$/, device)),
    'auto',
    '<device>',
    'Device of the models that encode: auto (a GPU if there is one), cpu, cuda or cuda:N.',
  ),
  ...anilistRows,
  listWait: row(
    number(0, 60),
    1,
    '<s>',
    "Seconds that an answer waits for the user's lists at AniList; 0 does not ask for them.",
  ),
  logFile: row(
    path,
    './logs/api.log',
    '<file>',
    'Log file; at 10 MiB a new one begins, and ten older ones are kept; none writes no file.',
  ),
  logLevel: row(oneOf(levels), 'info', '<level>', `Least severe messages: ${levels.join(', ')}.`),
  logQueries: row(
    onOrOff,
    false,
    '',
    'Logs the text of each search and the address of its client, which are not logged otherwise.',
  ),
} as const

/** What `synoptic eval` takes besides. */
export const evalSettings = {
  ...commonSettings,
  fineTunedDir: serverSettings.fineTunedDir,
  searchEncoder: serverSettings.searchEncoder,
  popularity: serverSettings.popularity,
} as const

/** What `synoptic data import` takes besides. */
export const importSettings = {
  ...commonSettings,
  leaveOut: row(
    listOf(isWorkKind, `none, or a list of ${workKinds.join(', ')}`),
    'none',
    '<list>',
    `Works to leave out once all sources are joined: ${workKinds.join(', ')}.`,
  ),
} as const

/** What the command that plans a device's memory takes besides. */
export const gpuSettings = {
  ...commonSettings,
  gpuMemoryLimit: serverSettings.gpuMemoryLimit,
} as const

/** What the commands that talk to AniList take besides. */
export const anilistSettings = { ...commonSettings, ...anilistRows } as const

/** Every key that a configuration file may hold: one file serves all commands. */
export const settingNames: readonly string[] = Object.keys({
  ...serverSettings,
  ...importSettings,
  ...anilistSettings,
})

export type { Setting, SettingsOf, SettingsTable } from './setting.js'
export type Settings = SettingsOf<typeof commonSettings>
export type EvalSettings = SettingsOf<typeof evalSettings>
export type ImportSettings = SettingsOf<typeof importSettings>
export type ServerSettings = SettingsOf<typeof serverSettings>
