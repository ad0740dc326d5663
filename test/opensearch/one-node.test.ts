/**
 * Everything that one real node can show; it starts once for all.
 * @module-tag nightly
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { findOpenSearch, startCluster, type Cluster } from '../../tools/opensearch/nodes.js'
import { describeConnection } from './connection.js'
import { describeEquality } from './equality.js'
import { describeGraph } from './graph.js'
import { describePublishing } from './publishing.js'
import { describeServing } from './serving.js'

const home = findOpenSearch()
if (home === undefined)
  console.warn('SKIPPED: there is no OpenSearch: tools/opensearch/fetch.sh FOLDER has it (Java 17)')

describe.skipIf(home === undefined)('OpenSearch', () => {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-opensearch-'))
  let cluster: Cluster | undefined

  beforeAll(async () => {
    cluster = await startCluster({ home: home ?? '', folder: join(folder, 'engine') })
  })
  afterAll(() => cluster?.stop())

  const place = { folder: () => folder, urls: () => cluster?.urls ?? [] }
  describeEquality(place)
  describeGraph(place)
  describeConnection(place)
  describePublishing(place)
  describeServing({
    ...place,
    cluster() {
      if (cluster === undefined) throw new Error('the node has not started')
      return cluster
    },
  })
})
