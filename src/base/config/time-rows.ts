/** Rows of the settings table: how long connections, requests and a stop may take. */
import { number } from './schemas.js'
import { row } from './setting.js'

export const timeRows = {
  timeout: row(number(1, 86_400), 30, '<s>', 'Seconds until the server closes an idle connection.'),
  requestTimeout: row(
    number(0.1, 3600),
    30,
    '<s>',
    'Seconds a request may take, from its first byte to the response.',
  ),
  drain: row(
    number(0, 3600),
    0,
    '<s>',
    'Seconds that a stopping server serves on while /readyz says so, until balancers have noticed.',
  ),
} as const
