/**
 * Real OpenSearch nodes on loopback, for tests, the bench and the trial of a cluster. They need Java 17 and an unpacked
 * OpenSearch with the plugin k-NN and the language Painless; SYNOPTIC_TEST_OPENSEARCH names its folder.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
} from 'node:fs'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** OpenSearch refuses to run as root. */
const nobody = 65_534
/** Of a busy machine: a JVM that starts on half a processor, and several that share it. */
const startMs = (count) => (count === 1 ? 170_000 : 600_000)

/** The folder of the distribution; undefined where it or Java is not there. */
export function findOpenSearch() {
  const home = process.env.SYNOPTIC_TEST_OPENSEARCH
  if (home === undefined || !existsSync(join(home, 'bin', 'opensearch'))) return undefined
  return spawnSync('java', ['-version']).status === 0 ? home : undefined
}

/**
 * Nodes of one cluster, which are up and have found each other when this resolves.
 * @param home of the distribution
 * @param folder for configuration, data and logs
 */
export async function startCluster({ home, folder, count = 1, heap = '512m' }) {
  const ports = await freePorts(2 * count)
  const seats = Array.from({ length: count }, (_, i) => ({
    name: `node${i}`,
    folder: join(folder, `node${i}`),
    httpPort: ports[2 * i],
    transportPort: ports[2 * i + 1],
  }))
  openFolders(folder)
  const cluster = { home, heap, seats }
  const nodes = seats.map((seat) => startNode(cluster, seat))
  const urls = seats.map(({ httpPort }) => `http://127.0.0.1:${httpPort}`)
  const all = {
    urls,
    nodes,
    /** Starts a node that has ended, with the data that it had. */
    restart(i) {
      nodes[i] = startNode(cluster, seats[i])
      return nodes[i]
    },
    /** Until so many nodes are members, as a node sees it. */
    async waitFor(members, from = 0) {
      const until = performance.now() + startMs(count)
      while (!(await hasMembers(urls[from], members))) {
        if (performance.now() > until) {
          throw new Error(`no cluster of ${members}: ${nodes[from].log().slice(-3000)}`)
        }
        await delay(250)
      }
    },
    async stop() {
      for (const { child } of nodes) child.kill('SIGKILL')
      await Promise.all(nodes.map(({ ended }) => ended))
    },
  }
  try {
    await all.waitFor(count)
  } catch (error) {
    await all.stop()
    throw error
  }
  return all
}

function startNode({ home, heap, seats }, { name, folder, httpPort, transportPort }) {
  const config = join(folder, 'config')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(config)) cpSync(join(home, 'config'), config, { recursive: true })
  writeFileSync(join(config, 'jvm.options'), jvmOptions(heap, folder))
  const isAlone = seats.length === 1
  const peers = seats.map((seat) => `127.0.0.1:${seat.transportPort}`)
  const lines = {
    'cluster.name': `synoptic-${seats[0].transportPort}`,
    'node.name': name,
    'network.host': '127.0.0.1',
    'http.port': httpPort,
    'transport.port': transportPort,
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    // A full disk of the machine is no fault of the test.
    'cluster.routing.allocation.disk.threshold_enabled': false,
    ...(isAlone
      ? { 'discovery.type': 'single-node' }
      : {
          'discovery.seed_hosts': JSON.stringify(peers),
          'cluster.initial_cluster_manager_nodes': JSON.stringify(seats.map((seat) => seat.name)),
        }),
  }
  const text = Object.entries(lines).map(([key, value]) => `${key}: ${value}\n`)
  writeFileSync(join(config, 'opensearch.yml'), text.join(''))
  const isRoot = process.getuid?.() === 0
  if (isRoot) spawnSync('chown', ['-R', `${nobody}:${nobody}`, folder])
  const logFile = join(folder, 'output.log')
  const output = openSync(logFile, 'a')
  const child = spawn(join(home, 'bin', 'opensearch'), [], {
    cwd: folder,
    stdio: ['ignore', output, output],
    env: {
      PATH: process.env.PATH,
      JAVA_HOME: javaHome(),
      OPENSEARCH_TMPDIR: folder,
      OPENSEARCH_PATH_CONF: config,
    },
    ...(isRoot && { uid: nobody, gid: nobody }),
  })
  const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  return { child, ended, log: () => readFileSync(logFile, 'utf8') }
}

/** Of the distribution, without its log of garbage collections, which goes into the distribution's own folder. */
const jvmOptions = (heap, folder) =>
  [
    `-Xms${heap}`,
    `-Xmx${heap}`,
    '-XX:+UseSerialGC',
    '-XX:-HeapDumpOnOutOfMemoryError',
    '-XX:-AlwaysPreTouch',
    `-Djava.io.tmpdir=${folder}`,
    '-Djava.security.manager=allow',
    '20-:--add-modules=jdk.incubator.vector',
    '-Djava.util.concurrent.ForkJoinPool.common.threadFactory=org.opensearch.secure_sm.SecuredForkJoinWorkerThreadFactory',
    '',
  ].join('\n')

async function hasMembers(url, members) {
  try {
    const response = await fetch(`${url}/_cluster/health`, { signal: AbortSignal.timeout(5000) })
    return response.ok && (await response.json()).number_of_nodes === members
  } catch {
    return false
  }
}

/** A user other than ours has to reach the folder, and temporary folders are closed to others. */
function openFolders(folder) {
  mkdirSync(folder, { recursive: true })
  if (process.getuid?.() !== 0) return
  chownSync(folder, nobody, nobody)
  for (
    let path = dirname(folder);
    dirname(path) !== path && path !== '/tmp';
    path = dirname(path)
  ) {
    chmodSync(path, 0o755)
  }
}

function javaHome() {
  if (process.env.JAVA_HOME) return process.env.JAVA_HOME
  const { stdout } = spawnSync('readlink', ['-f', process.env.JAVA ?? '/usr/bin/java'])
  return dirname(dirname(String(stdout).trim()))
}

async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => server.address().port)
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))))
  return ports
}
