/** Where things lie, and the log. */
import { join } from 'node:path'
import { oneOf, onOrOff, optionalPath, path } from './schemas.js'
import { inHome, row } from './setting.js'
import { byDefault } from './start-folder.js'

/** Settings of every command. */
export const commonSettings = {
  home: row(
    optionalPath,
    '',
    '<folder>',
    'Folder of everything: data, embeddings, models, logs and keys.json are inside of it.',
  ),
  dataDir: row(
    path,
    byDefault('data'),
    '<folder>',
    'Folder that holds the catalogue, catalogue.sqlite.',
    inHome('data'),
  ),
  embeddingsDir: row(
    path,
    byDefault('embeddings'),
    '<folder>',
    'Folder that holds the embeddings. With a --data-dir of your own, it is inside of that.',
    [{ setting: 'dataDir', path: 'embeddings' }, ...inHome('embeddings')],
  ),
  modelsDir: row(
    path,
    byDefault('models'),
    '<folder>',
    'Folder that holds downloaded models and your own.',
    inHome('models'),
  ),
} as const

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

export const logRows = {
  logFile: row(
    path,
    byDefault('./logs/api.log'),
    '<file>',
    'Log file. At 10 MiB a new file begins; ten old files are kept. none disables the file.',
    inHome(join('logs', 'api.log')),
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
