/** The text that a server prints once it is ready. */
import { resolve } from 'node:path'
import type { ServerSettings } from '../../base/config/settings.js'
import { readersOf } from '../http/middleware/foreign-pages.js'
import type { Example } from './examples.js'
import { isLoopback } from '../../base/util/loopback.js'
import { version } from '../../base/util/version.js'

/** Prints the address, the data, and commands to paste. */
export function banner(
  settings: ServerSettings,
  port: number,
  facts: readonly string[],
  examples: readonly Example[],
): string {
  const { host, enableRoutes, ui } = settings
  const address = `http://${everyAddress.has(host) ? 'localhost' : nameOf(host)}:${port}`
  const isServed = (group: string) => enableRoutes.includes('all') || enableRoutes.includes(group)
  const commands = examples
    .filter(({ group }) => isServed(group))
    .map(({ group, dataset, body }) => {
      const type = quoted('Content-Type: application/json')
      return `curl ${address}/${group}/${dataset} -H ${type} -d ${quoted(JSON.stringify(body))}`
    })
  if (commands.length === 0) commands.push(`curl ${address}/`)
  return [
    `Synoptic ${version} is ready at ${address}`,
    ...indented([
      whoReaches(settings),
      ...facts,
      ...operators(settings),
      ...places(settings),
      ...oldNode(process.versions.node),
    ]),
    isServed('page') && ui === 'on' ? `Open ${address} in a browser, or try:` : 'Try it:',
    ...indented(commands),
    '',
  ].join('\n')
}

const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

function whoReaches({ host, port, corsOrigins }: ServerSettings): string {
  if (isLoopback(host))
    return 'open to: programs on this machine only (--host 0.0.0.0 opens it to others)'
  const machines = everyAddress.has(host)
    ? `every machine that reaches port ${port} of this one`
    : `every machine that reaches ${host}`
  const pages = readersOf({ host, corsOrigins }).includes('*')
    ? ', and web pages of every origin (--cors-origins)'
    : ''
  return `open to: ${machines}${pages}`
}

/** Where the operators' view is, if it has a port of its own. */
const operators = ({ statusHost, statusPort }: ServerSettings) =>
  statusPort === 'none'
    ? []
    : [
        `status: http://${everyAddress.has(statusHost) ? 'localhost' : nameOf(statusHost)}:${statusPort}/status`,
      ]

/** Where things lie, whole, because a relative path means another folder to the reader. */
const places = ({ dataDir, embeddingsDir, logFile }: ServerSettings) => [
  `data: ${resolve(dataDir)}`,
  `embeddings: ${resolve(embeddingsDir)}`,
  `log: ${logFile === 'none' ? 'none but stderr' : resolve(logFile)}`,
]

/** The oldest one that still gets fixes of its faults. */
const oldestNode = 22

const oldNode = (version: string): readonly string[] =>
  Number.parseInt(version) < oldestNode
    ? [`Node ${version} is past its end of life: use Node ${oldestNode} or newer`]
    : []

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

/** One argument on a command line, quoted for a POSIX shell or for cmd on Windows. */
const quoted = (text: string) =>
  process.platform === 'win32' ? JSON.stringify(text) : `'${text.replaceAll("'", "'\\''")}'`

const nameOf = (host: string) => (host.includes(':') ? `[${host}]` : host)
