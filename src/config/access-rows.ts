/** Rows of the settings table: who may send requests. */
import { path } from './schemas.js'
import { row } from './setting.js'

export const accessRows = {
  apiKeys: row(
    path,
    'none',
    '<file>',
    'File of the API keys that requests need; synoptic keys writes it. none asks for no keys.',
  ),
} as const
