/**
 * The responses that README.md prints, from a server:
 *   node tools/readme-responses.js ORIGIN [--write]
 * Sends the requests of the `curl` blocks that a `json` block follows. Lists the blocks that differ, times left out;
 * `--write` puts the responses there. test/readme.test.ts compares them in every run of the tests.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = new URL('../README.md', import.meta.url)
const pair = /```sh\n(curl localhost:8000[^`]*)```\n(```json\n)([^`]*)(```)/g

/** The requests that the README shows, with what it prints. */
export function readmeExamples(text = readFileSync(file, 'utf8')) {
  return [...text.matchAll(pair)].map(([whole, command, , printed]) => {
    const path = /localhost:8000(\S+)/.exec(command)[1]
    const body = /-d '((?:[^']|'\\'')*)'/.exec(command)[1].replaceAll(`'\\''`, "'")
    return { whole, command, path, body, printed }
  })
}

export async function responseTo(origin, { path, body }) {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return response.json()
}

/** What is the same in every run and on every processor: all but times, numbers to four digits. */
export function withoutTimes(value) {
  return JSON.parse(
    JSON.stringify(value, (name, member) => {
      if (name === 'execution_time_ms' || name === 'timings') return undefined
      return typeof member === 'number' ? Math.round(member * 1e4) / 1e4 : member
    }),
  )
}

/** One member of the outermost object a line, and one of a result. */
function shown(response) {
  const members = Object.entries(response).map(([name, value]) => {
    const text = JSON.stringify(value)
    return `"${name}":${text}`
  })
  return `{${members.join(',\n ')}}\n`.replaceAll('},"', '},\n  "')
}

async function run([origin, flag]) {
  if (origin === undefined) throw new Error('expected the origin of a server')
  const text = readFileSync(file, 'utf8')
  let changed = text
  for (const example of readmeExamples(text)) {
    const response = await responseTo(origin, example)
    if (
      JSON.stringify(withoutTimes(response)) ===
      JSON.stringify(withoutTimes(JSON.parse(example.printed)))
    )
      continue
    console.log(`differs: POST ${example.path}`)
    changed = changed.replace(example.whole, () =>
      example.whole.replace(example.printed, () => shown(response)),
    )
  }
  if (flag === '--write') writeFileSync(file, changed)
  else if (changed !== text) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(process.argv.slice(2))
