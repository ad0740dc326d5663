/** The text that a server prints once it is ready. */
import type { ServerSettings } from '../config/settings.js'
import { version } from '../util/version.js'

/** Prints the address, the data, and commands to paste; the included works answer them. */
export function banner(
  { host, enableRoutes, ui }: ServerSettings,
  port: number,
  facts: readonly string[],
): string {
  const address = `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : nameOf(host)}:${port}`
  const isServed = (group: string) => enableRoutes.includes('all') || enableRoutes.includes(group)
  const commands = questions
    .filter(({ group }) => isServed(group))
    .map(({ group, body }) => {
      const type = quoted('Content-Type: application/json')
      return `curl ${address}/${group}/anime -H ${type} -d ${quoted(JSON.stringify(body))}`
    })
  if (commands.length === 0) commands.push(`curl ${address}/`)
  return [
    `Synoptic ${version} is ready at ${address}`,
    ...indented(facts),
    isServed('page') && ui === 'on' ? `Open ${address} in a browser, or try:` : 'Try it:',
    ...indented(commands),
    '',
  ].join('\n')
}

const questions = [
  {
    group: 'searchmodel',
    body: {
      model: 'builtin/static-en',
      description:
        "a student finds a death god's notebook that kills whoever's name is written in it",
    },
  },
  {
    group: 'search',
    body: {
      query: "two alchemist brothers search for the philosopher's stone to get their bodies back",
    },
  },
]

const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

/** One argument on a command line, quoted for a POSIX shell or for cmd on Windows. */
const quoted = (text: string) =>
  process.platform === 'win32' ? JSON.stringify(text) : `'${text.replaceAll("'", "'\\''")}'`

const nameOf = (host: string) => (host.includes(':') ? `[${host}]` : host)
