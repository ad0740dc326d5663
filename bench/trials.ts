import * as batches from './batch.js'
import * as pairs from './cross-encoder.js'
import * as http from './http.js'
import * as httpLoad from './http-load.js'
import * as fairShares from './fair-shares.js'
import * as embedding from './embed.js'
import * as encoding from './encode.js'
import * as requests from './encode-requests.js'
import * as importing from './import.js'
import * as keptBytes from './kept-bytes.js'
import * as installing from './install.js'
import * as manyWorks from './many-works.js'
import * as merging from './merge.js'
import * as opensearch from './opensearch.js'
import * as opensearchWords from './opensearch-words.js'
import * as page from './page.js'
import * as publicSets from './public-sets.js'
import * as searching from './search.js'
import * as sessionOptions from './session-options.js'
import * as similarity from './similarity.js'
import * as sharedScan from './shared-scan.js'
import * as verify from './verify.js'
import * as titles from './titles.js'
import * as v1 from './v1.js'
import * as writes from './writes.js'
import type { Trial } from './trial.js'

/** In the order in which they run. */
export const trials: readonly Trial[] = [
  importing.trial,
  merging.trial,
  publicSets.trial,
  encoding.trial,
  requests.trial,
  sessionOptions.trial,
  pairs.trial,
  embedding.trial,
  http.trial,
  httpLoad.trial,
  batches.trial,
  fairShares.trial,
  keptBytes.trial,
  writes.trial,
  v1.trial,
  page.trial,
  searching.trial,
  manyWorks.trial,
  similarity.trial,
  sharedScan.trial,
  verify.trial,
  opensearch.trial,
  opensearchWords.trial,
  titles.trial,
  installing.trial,
]
