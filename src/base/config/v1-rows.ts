/** Rows of the settings table: the routes of v1, which take many texts at once. */
import { integer, modelAliases } from './schemas.js'
import { row } from './setting.js'

export const v1Rows = {
  v1MaxInputs: row(
    integer(1, 100_000),
    2048,
    '<n>',
    'Texts that one request to the routes of v1 may have. The server refuses more with status 413.',
  ),
  v1BodyLimit: row(
    integer(1024, 2 ** 30),
    8_388_608,
    '<bytes>',
    'Maximum size of a request body of the routes of v1.',
  ),
  modelAlias: row(
    modelAliases,
    'none',
    '<alias=model,...>',
    'Other names of installed models on the routes of v1, such as text-embedding-3-small=builtin/static-en.',
  ),
} as const
