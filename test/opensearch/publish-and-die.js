/** Publishes a shelf, and kills itself after its n-th call of the engine: node publish-and-die.js OPTIONS */
import { readFileSync } from 'node:fs'
import { openCollection } from '#synoptic/native/addon/index.js'
import { createEngine } from '#synoptic/search/opensearch/engine.js'
import { publishIndex } from '#synoptic/search/opensearch/publish.js'

const { urls, prefix, dataset, embeddings, shards, calls, isBefore } = JSON.parse(
  readFileSync(process.argv[2], 'utf8'),
)
const engine = createEngine({ urls, timeoutMs: 60_000 })
let left = calls
const dying = {
  ...engine,
  async call(call) {
    left -= 1
    if (left < 0 && isBefore) process.kill(process.pid, 'SIGKILL')
    const answer = engine.call(call)
    // The request is on its way, or answered.
    if (left < 0) await answer.finally(() => process.kill(process.pid, 'SIGKILL'))
    return answer
  },
}
const vectors = await openCollection({ columns: embeddings.columns })
const published = await publishIndex({
  engine: dying,
  prefix,
  dataset,
  embeddings,
  vectors,
  spread: { shards, replicas: 0 },
  signal: new AbortController().signal,
  onProgress: () => undefined,
})
process.stdout.write(JSON.stringify(published))
await engine.close()
