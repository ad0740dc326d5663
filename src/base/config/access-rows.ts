/** Rows of the settings table: who may send requests. */
import { listOf, path } from './schemas.js'
import { inHome, row, type Setting } from './setting.js'

const isHostName = (word: string) => /^[a-z\d]([a-z\d.-]*[a-z\d])?$|^\[[\da-f:.]+\]$/i.test(word)

export const hostRows = {
  allowedHosts: row(
    listOf(isHostName, 'none, or host names such as search.example.org, without a port'),
    'none',
    '<list>',
    'Names by which requests may call the server besides localhost. none: any, unless --host is this machine alone.',
  ),
} as const

const fileOfKeys = (within: Setting<string>['within']) =>
  row(
    path,
    'none',
    '<file>',
    'File of the API keys that requests need; synoptic keys writes it. With none, no key is needed.',
    within,
  )

/** Of a server. By default it needs keys only if its home has a key file. */
export const accessRows = {
  apiKeys: fileOfKeys([{ setting: 'home', path: 'keys.json', ifPresent: true }]),
} as const

/** Of the commands that write the file. */
export const keyRows = { apiKeys: fileOfKeys(inHome('keys.json')) } as const
