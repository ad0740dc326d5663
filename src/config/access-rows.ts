/** Rows of the settings table: who may send requests. */
import { listOf, path } from './schemas.js'
import { row } from './setting.js'

const isHostName = (word: string) => /^[a-z\d]([a-z\d.-]*[a-z\d])?$|^\[[\da-f:.]+\]$/i.test(word)

export const hostRows = {
  allowedHosts: row(
    listOf(isHostName, 'none, or host names such as search.example.org, without a port'),
    'none',
    '<list>',
    'Names by which requests may call the server besides localhost. none: any, unless --host is this machine alone.',
  ),
} as const

export const accessRows = {
  apiKeys: row(
    path,
    'none',
    '<file>',
    'File of the API keys that requests need; synoptic keys writes it. none asks for no keys.',
  ),
} as const
