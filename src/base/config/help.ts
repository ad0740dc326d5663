/** The settings table as text for `--help`. */
import type { SettingsTable } from './settings.js'
import { flagOf, variableOf } from './read.js'

/** Groups of settings in the order of the help, the most needed first; what is in none comes last. */
const groups: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Most needed', ['port', 'host', 'home', 'workers', 'rateLimit', 'searchEncoder']],
  [
    'Folders and log',
    [
      ...['dataDir', 'embeddingsDir', 'modelsDir', 'fineTunedDir'],
      ...['logFile', 'logLevel', 'logQueries'],
    ],
  ],
  ['What is found', ['adult', 'popularity', 'crossEncoder', 'rankerWeights', 'vocabulary']],
  [
    'Processors and memory',
    ['threads', 'device', 'gpuMemoryLimit', 'modelMemoryLimit', 'queryCache', 'idleTimeout'],
  ],
  [
    'Who may call, and how often',
    [
      ...['apiKeys', 'allowedHosts', 'corsOrigins', 'corsMethods', 'corsHeaders', 'enableRoutes'],
      ...['rateBurst', 'rateLimitLoopback', 'rateExempt', 'rateStore', 'trustProxy'],
    ],
  ],
  [
    'Load and time',
    [
      ...[
        'limitConcurrency',
        'requestTimeout',
        'timeout',
        'drain',
        'bodyLimit',
        'writeBodyLimit',
        'transferMemory',
      ],
      ...['h2c', 'v1MaxInputs', 'v1BodyLimit', 'modelAlias'],
    ],
  ],
  ['Pages', ['ui', 'covers', 'feedback', 'analytics', 'statusPort', 'statusHost']],
  [
    'OpenSearch',
    ['index', 'indexUrl', 'indexCa', 'indexPrefix', 'indexTimeout', 'indexCandidates'],
  ],
  ["A person's lists", ['listsFile', 'anilistUsers', 'anilistConfig', 'listWait', 'graphqlUrl']],
]
const otherGroup = 'More'

interface SettingsGroup {
  readonly title: string
  readonly names: readonly string[]
}

/** Names of settings by group, in the order of the help. */
export function groupSettings(names: readonly string[]): readonly SettingsGroup[] {
  const grouped = new Set(groups.flatMap(([, members]) => members))
  const others = names.filter((name) => !grouped.has(name))
  return [...groups, [otherGroup, others] as const]
    .map(([title, members]) => ({ title, names: members.filter((name) => names.includes(name)) }))
    .filter((group) => group.names.length > 0)
}

/** Two lines for each setting: the flag and its sentence, then the default and the environment variable. */
export function settingsHelp(table: SettingsTable): string {
  const rows = Object.entries(table).map(([name, setting]) => ({
    name,
    flag: `--${flagOf(name)} ${setting.value}`.trimEnd(),
    help: setting.help,
    more: `default ${setting.default === '' ? 'none' : String(setting.default)}; ${variableOf(name)}`,
  }))
  const config = {
    name: 'config',
    flag: '--config <file>',
    help: 'JSON file with settings, named in camelCase.',
    more: 'SYNOPTIC_CONFIG',
  }
  const width = Math.max(...rows.map(({ flag }) => flag.length)) + 4
  const all = new Map([...rows, config].map((one) => [one.name, one]))
  const lineOf = (name: string) => {
    const { flag = '', help = '', more = '' } = all.get(name) ?? {}
    return `  ${flag.padEnd(width - 2)}${help}\n${' '.repeat(width)}${more}`
  }
  const described = groupSettings([...all.keys()]).map(
    ({ title, names }) => `${title}:\n${names.map(lineOf).join('\n')}`,
  )
  // The few settings of most commands need no headings.
  return all.size < 10
    ? described.map((text) => text.slice(text.indexOf('\n') + 1)).join('\n')
    : described.join('\n\n')
}
