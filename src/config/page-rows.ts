/** Settings of the page for people. */
import { listOf, oneOf, path, portOrNone, text } from './schemas.js'
import { row } from './setting.js'

const isCoverHost = (word: string) =>
  word === 'none' || (URL.canParse(word) && new URL(word).origin === word)

export const pageRows = {
  ui: row(
    oneOf(['on', 'off'] as const),
    'on',
    '<on|off>',
    'Whether / shows browsers the page for people.',
  ),
  coverHosts: row(
    listOf(isCoverHost, 'none, or origins such as https://example.org, without a path'),
    'none',
    '<list>',
    'Origins from which the page shows covers that the catalogue names.',
  ),
  feedback: row(
    path,
    'none',
    '<file>',
    'File that keeps which result people meant, as JSON lines. none keeps nothing.',
  ),
  statusPort: row(
    portOrNone,
    'none',
    '<n>',
    'Port that serves /status with health and metrics, and takes /status from --port. none keeps it there.',
  ),
  statusHost: row(text, '127.0.0.1', '<address>', 'Address to listen on for --status-port.'),
} as const
