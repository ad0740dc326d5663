/** Rows of the settings table: where the vectors are searched. */
import * as v from 'valibot'
import { integer, listOf, number, oneOf, path } from './schemas.js'
import { row } from './setting.js'

/** Credentials come by the environment alone, which no list of processes shows. */
const isBareUrl = (word: string): boolean => {
  if (!URL.canParse(word)) return false
  const { protocol, username, password, search, hash } = new URL(word)
  return /^https?:$/.test(protocol) && [username, password, search, hash].join('') === ''
}

const namePrefix = v.pipe(
  v.string('expected a name in small letters, digits and hyphens'),
  v.regex(/^[a-z][a-z0-9-]{0,40}$/, 'expected a name in small letters, digits and hyphens'),
)

/** The engine's graph answers with no more. */
const maxCandidates = 10_000
const candidates: v.GenericSchema<unknown, number | 'exact'> = v.union(
  [v.literal('exact'), integer(10, maxCandidates)],
  `expected exact, or an integer from 10 to ${maxCandidates}`,
)

export const indexRows = {
  index: row(
    oneOf(['embedded', 'opensearch']),
    'embedded',
    '<which>',
    'Where vectors are searched: embedded (files of --embeddings-dir, in this process) or opensearch.',
  ),
  indexUrl: row(
    listOf(isBareUrl, 'http(s) addresses without credentials'),
    'http://127.0.0.1:9200',
    '<list>',
    'Nodes of OpenSearch. SYNOPTIC_INDEX_USERNAME and SYNOPTIC_INDEX_PASSWORD hold the credentials.',
  ),
  indexCa: row(
    path,
    'none',
    '<file>',
    'Certificates (PEM) of the authority of these nodes. none trusts those of the system.',
  ),
  indexPrefix: row(
    namePrefix,
    'synoptic',
    '<name>',
    'Beginning of the names of all indices and aliases there.',
  ),
  indexTimeout: row(
    number(0.1, 600),
    10,
    '<s>',
    'Seconds after which a call of OpenSearch has failed.',
  ),
  indexCandidates: row(
    candidates,
    'exact',
    '<n>',
    'Works that each shard of OpenSearch picks by its graph (HNSW), so that some may be missed; exact reads all vectors.',
  ),
} as const
