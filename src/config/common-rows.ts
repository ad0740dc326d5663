/** Where things lie, and the log. */
import { oneOf, onOrOff, path } from './schemas.js'
import { row } from './setting.js'
import { byDefault } from './start-folder.js'

/** Settings of every command. */
export const commonSettings = {
  dataDir: row(
    path,
    byDefault('data'),
    '<folder>',
    'Folder that holds the catalogue, catalogue.sqlite.',
  ),
  embeddingsDir: row(
    path,
    byDefault('embeddings'),
    '<folder>',
    'Folder that holds the embeddings.',
  ),
  modelsDir: row(
    path,
    byDefault('models'),
    '<folder>',
    'Folder that holds downloaded models and your own.',
  ),
} as const

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const logRows = {
  logFile: row(
    path,
    byDefault('./logs/api.log'),
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
