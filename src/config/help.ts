/** The settings table as text for `--help`. */
import type { SettingsTable } from './settings.js'
import { flagOf, variableOf } from './read.js'

/** Two lines for each setting: the flag and its sentence, then the default and the environment variable. */
export function settingsHelp(table: SettingsTable): string {
  const rows = Object.entries(table).map(([name, setting]) => ({
    flag: `--${flagOf(name)} ${setting.value}`.trimEnd(),
    help: setting.help,
    more: `default ${setting.default}; ${variableOf(name)}`,
  }))
  const config = {
    flag: '--config <file>',
    help: 'JSON file with settings, named in camelCase.',
    more: 'SYNOPTIC_CONFIG',
  }
  const width = Math.max(...rows.map(({ flag }) => flag.length)) + 4
  return [...rows, config]
    .map(
      ({ flag, help, more }) => `  ${flag.padEnd(width - 2)}${help}\n${' '.repeat(width)}${more}`,
    )
    .join('\n')
}
