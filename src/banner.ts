/** What a server that has started tells whoever started it. */
import type { ServerSettings } from './config.js'
import { version } from './version.js'

/** A question that has an answer in the sample, as a command to paste. */
export function banner({ host }: ServerSettings, port: number, facts: readonly string[]): string {
  const address = `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : nameOf(host)}:${port}`
  const question = JSON.stringify({ model: 'builtin/static-en', description })
  return `Synoptic ${version} answers at ${address}
${facts.map((fact) => `  ${fact}\n`).join('')}Try it:
  curl ${address}/searchmodel/anime -H ${quoted('Content-Type: application/json')} -d ${quoted(question)}
`
}

const description = "a boy who gains a notebook that kills whoever's name is written in it"

/** One word of a command line: of a POSIX shell, or of Windows' cmd. */
const quoted = (text: string) =>
  process.platform === 'win32' ? JSON.stringify(text) : `'${text.replaceAll("'", "'\\''")}'`

const nameOf = (host: string) => (host.includes(':') ? `[${host}]` : host)
