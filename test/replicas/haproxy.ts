/** The balancer of deploy/haproxy.cfg as it is, on loopback, before replicas of a test. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const shipped = fileURLToPath(new URL('../../deploy/haproxy.cfg', import.meta.url))

export const noHaproxy =
  spawnSync('haproxy', ['-v']).status === 0
    ? undefined
    : 'there is no haproxy: apt-get install haproxy'

export interface Balancer {
  readonly origin: string
  /** What it thinks of each replica, such as `UP`. */
  states(): Promise<string[]>
  stop(): Promise<void>
}

/** The shipped configuration, with the addresses of the test. */
function configuration(origins: readonly string[], port: number, statsPort: number): string {
  const servers = origins.map((origin, i) => `  server replica${i + 1} ${new URL(origin).host}`)
  const text = readFileSync(shipped, 'utf8')
    .replace(/^ {2}server-template .*$/m, servers.join('\n'))
    // So that a test need not wait seconds.
    .replace('inter 1s fastinter 500ms', 'inter 100ms')
    .replace('bind :8000', `bind 127.0.0.1:${port}`)
    // A machine with no resolver has no such file, and addresses need none.
    .replace(/^resolvers names\n(?: .*\n)*/m, '')
  return `${text}
listen stats
  bind 127.0.0.1:${statsPort}
  stats enable
  stats uri /
`
}

export async function startHaproxy(folder: string, origins: readonly string[]): Promise<Balancer> {
  const [port, statsPort] = await freePorts(2)
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(origins, port ?? 0, statsPort ?? 0))
  const child = spawn('haproxy', ['-db', '-f', file])
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  child.stdout.resume()
  const closed = once(child, 'close')
  const states = async () => {
    const csv = await (await fetch(`http://127.0.0.1:${statsPort}/;csv`)).text()
    const [head = '', ...rows] = csv.split('\n').map((line) => line.split(','))
    const [name, status] = [head.indexOf('svname'), head.indexOf('status')]
    return rows.filter((row) => row[name]?.startsWith('replica')).map((row) => String(row[status]))
  }
  for (;;) {
    if (child.exitCode !== null) throw new Error(said)
    if (
      await states()
        .then((found) => found.length > 0)
        .catch(() => false)
    )
      break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return {
    origin: `http://127.0.0.1:${port}`,
    states,
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  return ports
}
