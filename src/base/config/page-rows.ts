/** Settings of the page for people. */
import { listOf, oneOf, path, portOrNone, text } from './schemas.js'
import { row } from './setting.js'

/** Sites whose covers a catalogue may name, with the origin of their pictures; `https:` is any. */
export const coverOrigins: Readonly<Record<string, string>> = {
  anilist: 'https://s4.anilist.co',
  myanimelist: 'https://cdn.myanimelist.net',
  catalogue: 'https:',
}

const isCoverSource = (word: string) =>
  word === 'off' ||
  Object.hasOwn(coverOrigins, word) ||
  (URL.canParse(word) && new URL(word).origin === word)

export const pageRows = {
  ui: row(
    oneOf(['on', 'off'] as const),
    'on',
    '<on|off>',
    'Whether / shows browsers the page for people.',
  ),
  covers: row(
    listOf(
      isCoverSource,
      'off, or a list of anilist, myanimelist, catalogue and origins such as https://example.org, without a path',
    ),
    'off',
    '<list>',
    'Sites whose covers the page shows, where the catalogue names them: anilist, myanimelist, catalogue (any), or ' +
      'origins. These sites see which covers people load.',
  ),
  feedback: row(
    path,
    'none',
    '<file>',
    'File for the results that people choose as the right ones, as JSON lines. none keeps nothing.',
  ),
  analytics: row(
    path,
    'none',
    '<file>',
    'File for what is searched, as JSON lines without addresses and keys; /status shows frequent queries and those ' +
      'for which nothing fits. none counts nothing.',
  ),
  statusPort: row(
    portOrNone,
    'none',
    '<n>',
    'Port that serves /status with health and metrics, and takes /status from --port. none keeps it there.',
  ),
  statusHost: row(text, '127.0.0.1', '<address>', 'Address to listen on for --status-port.'),
} as const
