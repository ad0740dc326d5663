/**
 * The trial of a cluster: three real nodes, three shards, one replica, and what goes wrong with them under load. It takes
 * minutes, so it is no test: `node tools/opensearch/trial.js`, with SYNOPTIC_TEST_OPENSEARCH as for the tests.
 * ROWS (200000), QUERIES (1000) and CLIENTS (4) make it shorter, SECONDS (5) a call more patient where a machine is busy.
 * A wrong answer ends it with status 1.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findOpenSearch, startCluster } from './nodes.js'
import {
  makeCentres,
  makeMaterial,
  openLocal,
  openRemote,
  publish,
  randomVector,
} from './material.js'

const [rows, queries, clients, seconds] = [
  ['ROWS', 200_000],
  ['QUERIES', 1000],
  ['CLIENTS', 4],
  ['SECONDS', 5],
].map(([name, usual]) => Number(process.env[name] ?? usual))
const dimension = 384
const k = 10
const spread = { shards: 3, replicas: 1 }
const [, self, mode, file] = process.argv

/** In a process of its own, which can be killed. */
async function publishHere() {
  const { material, urls, own } = (await import(file, { with: { type: 'json' } })).default
  const onProgress = ({ done }) => process.stdout.write(`${done}\n`)
  const published = await publish(material, urls, { ...own, onProgress })
  process.stdout.write(`sent ${published.sent}\n`)
}

async function trial() {
  const home = findOpenSearch()
  if (home === undefined) throw new Error('name an OpenSearch in SYNOPTIC_TEST_OPENSEARCH')
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-trial-'))
  const cluster = await startCluster({ home, folder: join(folder, 'engine'), count: 3 })
  try {
    say(`${rows} x ${dimension}, a second column of a tenth of them, three nodes`)
    const material = makeMaterial(folder, { rows, dimension, columns: 2, share: 0.1 })
    await tryPublishing(material, cluster.urls, folder)
    const local = await openLocal(material)
    await compare(local, material, cluster.urls)
    await tryLosses(local, material, cluster, folder)
    local.close()
  } finally {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  if (process.exitCode !== 1) say('nothing was wrong')
}

async function tryPublishing(material, urls, folder) {
  const run = (own, stopAt = Infinity) => publishProcess({ material, urls, own, folder }, stopAt)
  const first = await run(spread, rows / 3)
  say(`publish: killed (kill -9) at ${first.done} of ${rows} after ${first.seconds} s`)
  const second = await run(spread)
  say(`publish: again, ${second.sent} sent in ${second.seconds} s`)
  const third = await run(spread)
  if (third.sent !== 0) fail(`a third run sent ${third.sent}`)
}

async function publishProcess({ material, urls, own, folder }, stopAt) {
  const options = join(folder, 'publish.json')
  writeFileSync(options, JSON.stringify({ material, urls, own }))
  const begunMs = performance.now()
  const child = spawn(process.execPath, [self, 'publish', options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let [done, sent] = [0, 0]
  for await (const text of child.stdout.setEncoding('utf8')) {
    done = Math.max(done, ...text.split('\n').map(Number).filter(Number.isFinite))
    sent = Number(/sent (\d+)/.exec(text)?.[1] ?? sent)
    if (done >= stopAt) child.kill('SIGKILL')
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  if (stopAt === Infinity && child.exitCode !== 0) fail(`publish ended with ${child.exitCode}`)
  return { done, sent, seconds: secondsSince(begunMs) }
}

/** What a search may need in addition to the nearest works. */
const half = new Uint8Array(Math.ceil(rows / 8)).fill(0b01010101)
const kinds = [
  {},
  { mask: half },
  { columns: [1] },
  { mask: half, columns: [0] },
  { mask: half, columns: [0, 1], distinct: false },
]

/** All queries, in turn of each kind. */
async function compare(local, material, urls) {
  const remote = await openRemote(material, urls, { timeoutMs: 12 * seconds * 1000 })
  const centres = makeCentres(dimension)
  const begunMs = performance.now()
  let [next, same] = [0, 0]
  const client = async () => {
    while (next < queries) {
      const i = (next += 1)
      const query = randomVector(dimension, 10_000_000 + i, centres)
      const options = kinds[i % kinds.length]
      const [one, other] = await Promise.all([
        local.search(query, 1, k, options),
        remote.index.search(query, 1, k, options),
      ])
      if (isSame(one, other)) same += 1
      if (i % 100 === 0) console.error(`${i} of ${queries} compared`)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const line = `compare: ${same} of ${queries} queries equal in rows, columns and score bits, ${secondsSince(begunMs)} s`
  say(line)
  if (same !== queries) fail('answers differ')
  await remote.engine.close()
}

/** @param local answers what is right */
async function tryLosses(local, material, cluster, folder) {
  const { urls } = cluster
  const phase = async (name, act) => {
    const load = await startLoad(local, material, urls)
    await delay(3000)
    const note = await act(load)
    await load.waitForRight()
    say(`${name}: ${load.describe()}${note === undefined ? '' : `; ${note}`}`)
    await load.stop()
  }
  await phase('no fault', () => undefined)
  await phase('kill -9 of a node', async (load) => {
    cluster.nodes[2].child.kill('SIGKILL')
    await cluster.nodes[2].ended
    await load.waitForRight()
    cluster.restart(2)
    await cluster.waitFor(3)
    await untilGreen(urls[0])
  })
  await phase('a node hangs (SIGSTOP)', async (load) => {
    cluster.nodes[1].child.kill('SIGSTOP')
    const begunMs = performance.now()
    await delay(20_000)
    await load.waitForRight(36 * seconds * 1000)
    const took = secondsSince(begunMs)
    cluster.nodes[1].child.kill('SIGCONT')
    await cluster.waitFor(3)
    await untilGreen(urls[0])
    return `right again ${took} s after it began`
  })
  await phase('rolling restart (SIGTERM)', async () => {
    for (const [i, node] of cluster.nodes.entries()) {
      node.child.kill('SIGTERM')
      await node.ended
      await cluster.waitFor(2, (i + 1) % 3)
      cluster.restart(i)
      await cluster.waitFor(3, (i + 1) % 3)
      await untilGreen(urls[(i + 1) % 3])
    }
  })
  const { name, engine } = await openRemote(material, urls, { timeoutMs: seconds * 1000 })
  const setReplicas = (count) =>
    engine.call({
      method: 'PUT',
      path: `/${name}/_settings`,
      body: { index: { number_of_replicas: count } },
    })
  await setReplicas(0)
  const holder = await holderOf(engine, name)
  const load = await startLoad(local, material, urls)
  await delay(2000)
  cluster.nodes[holder].child.kill('SIGKILL')
  await delay(3 * seconds * 1000)
  say(`kill -9 of the only node with a shard: ${load.describe()}; last: ${load.last()}`)
  if (load.last() === 'right') fail('an answer without its shard')
  await load.stop()
  cluster.restart(holder)
  await cluster.waitFor(3, (holder + 1) % 3)
  await setReplicas(1)
  await engine.close()
  await untilGreen(urls[0])
  await phase('publish while searching', async () => {
    const own = { shards: 1, replicas: 1 }
    const { sent, seconds: took } = await publishProcess({ material, urls, own, folder }, Infinity)
    return `${sent} sent in ${took} s`
  })
}

/** Clients that never wait; each answer is right, an error that says so (503), or wrong. */
async function startLoad(local, material, urls) {
  const remote = await openRemote(material, urls, { timeoutMs: seconds * 1000 })
  const centres = makeCentres(dimension)
  const counts = { right: 0, refused: 0, wrong: 0 }
  const reasons = new Map()
  let [isRunning, last, rightInTurn, longestMs] = [true, 'right', 0, 0]
  const client = async (_, number) => {
    for (let i = 0; isRunning; i += 1) {
      const query = randomVector(dimension, 20_000_000 + number * 100_000 + i, centres)
      const expected = await local.search(query, 1, k)
      const begunMs = performance.now()
      try {
        const found = await remote.index.search(query, 1, k)
        last = isSame(expected, found) ? 'right' : 'wrong'
        longestMs = Math.max(longestMs, performance.now() - begunMs)
      } catch (error) {
        last = error.name === 'IndexUnavailableError' ? 'refused' : 'wrong'
        reasons.set(error.message, (reasons.get(error.message) ?? 0) + 1)
        await delay(50)
      }
      counts[last] += 1
      rightInTurn = last === 'right' ? rightInTurn + 1 : 0
      if (last === 'wrong') fail('a wrong answer')
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    last: () => last,
    describe: () =>
      `${counts.right} right, ${counts.refused} refused with 503, ${counts.wrong} wrong; longest ${(longestMs / 1000).toFixed(1)} s` +
      [...reasons].map(([reason, count]) => `\n    ${count} x ${reason}`).join(''),
    async waitForRight(patienceMs = 24 * seconds * 1000) {
      const endMs = performance.now() + patienceMs
      rightInTurn = 0
      while (rightInTurn < 20) {
        if (performance.now() > endMs) return fail('answers did not come back')
        await delay(100)
      }
    },
    async stop() {
      isRunning = false
      await running
      await remote.engine.close()
    },
  }
}

async function untilGreen(url) {
  for (let i = 0; i < 120 * seconds; i += 1) {
    const health = await fetch(`${url}/_cluster/health`)
      .then((response) => response.json())
      .catch(() => ({}))
    if (health.status === 'green') return
    await delay(500)
  }
  fail('the cluster did not become green')
}

async function holderOf(engine, name) {
  const shards = await engine.call({
    method: 'GET',
    path: `/_cat/shards/${name}`,
    query: { format: 'json' },
  })
  return Number(/\d+$/.exec(shards[0].node)[0])
}

const bitsOf = (scores) => Buffer.from(scores.buffer, scores.byteOffset, scores.byteLength)

function isSame(one, other) {
  const isEqual = (name) => one[name].every((value, i) => value === other[name][i])
  return (
    ['rows', 'columns', 'counts'].every(isEqual) && bitsOf(one.scores).equals(bitsOf(other.scores))
  )
}

const secondsSince = (begunMs) => ((performance.now() - begunMs) / 1000).toFixed(1)
const say = (line) => console.log(line)

function fail(what) {
  process.exitCode = 1
  say(`WRONG: ${what}`)
}

if (mode === 'publish') await publishHere()
else await trial()
