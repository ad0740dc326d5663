/** Rows of the settings table: changes of the catalogue while it is served. */
import { integer } from './schemas.js'
import { row } from './setting.js'

export const writeRows = {
  writeBodyLimit: row(
    integer(1024, 2 ** 30),
    67_108_864,
    '<bytes>',
    'Maximum size of an upload to PUT /entries.',
  ),
} as const
