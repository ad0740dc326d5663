/** Rows of the settings table: what is logged, and where. */
import { onOrOff, oneOf, path } from './schemas.js'
import { row } from './setting.js'

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const logRows = {
  logFile: row(
    path,
    './logs/api.log',
    '<file>',
    'Log file. At 10 MiB a new file begins; ten old files are kept. none disables the file.',
  ),
  logLevel: row(
    oneOf(levels),
    'info',
    '<level>',
    `Least severe messages to log: ${levels.join(', ')}.`,
  ),
  logQueries: row(
    onOrOff,
    false,
    '',
    'Also log the text of each search and the address of its client.',
  ),
} as const
