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
  ['What is found', ['adult', 'popularity', 'crossEncoder', 'rankerWeights']],
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
]
const otherGroup = 'More'

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
  const all = [...rows, config]
  const groupOf = (name: string) =>
    groups.find(([, names]) => names.includes(name))?.[0] ?? otherGroup
  const describe = (title: string) => {
    const names = groups.find(([other]) => other === title)?.[1] ?? []
    const own = all
      .filter(({ name }) => groupOf(name) === title)
      .toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
    const lines = own.map(
      ({ flag, help, more }) => `  ${flag.padEnd(width - 2)}${help}\n${' '.repeat(width)}${more}`,
    )
    return own.length === 0 ? [] : [`${title}:\n${lines.join('\n')}`]
  }
  const described = [...groups.map(([title]) => title), otherGroup].flatMap(describe)
  // The few settings of most commands need no headings.
  return all.length < 10
    ? described.map((text) => text.slice(text.indexOf('\n') + 1)).join('\n')
    : described.join('\n\n')
}
