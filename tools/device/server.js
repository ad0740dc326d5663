/**
 * Runs the whole server with and without a CUDA device, and compares answers and rates. Usage, in a project that is
 * built: `node tools/device/server.js <folder for the results> [entries]`. Makes a catalogue of that many entries
 * (60,000 unless said) from the sentences of the works, with three texts each, and embeds it with the built-in model.
 * Writes server.txt. The exit status is 1 where an answer differs or no search ran on a device.
 */
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cli = join(root, 'dist/cli.js')
const model = 'builtin/static-en'
const [connectionsEach, clients, loadSeconds] = [16, 4, 6]

async function main(results, entries) {
  if (results === undefined || !(entries > 0)) {
    console.error('Usage: node tools/device/server.js <folder for the results> [entries]')
    process.exit(2)
  }
  mkdirSync(results, { recursive: true })
  const print = (line) => {
    console.log(line)
    appendFileSync(join(results, 'server.txt'), `${line}\n`)
  }
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-device-'))
  try {
    process.exitCode = (await trial(folder, entries, print)) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function trial(folder, entries, print) {
  const works = readFileSync(join(root, 'data/works/anime.jsonl'), 'utf8').trim().split('\n')
  const texts = works.map((line) => JSON.parse(line)).flatMap(textsOf)
  writeCatalogue(folder, entries, texts)
  run(folder, print, ['data', 'import', 'made.json', '--works', 'off'])
  run(folder, print, ['embed', 'build', '--dataset', 'anime', '--model', model])
  run(folder, print, ['gpu', 'status'])
  run(folder, print, ['gpu', 'plan'])

  const queries = Array.from({ length: 300 }, (_, i) =>
    texts[(i * 7919) % texts.length].slice(0, 120),
  )
  const cases = [
    ['processor', ['--gpu-memory-limit', '0']],
    ['device', []],
    ['device, 300 MB', ['--gpu-memory-limit', '300000000']],
    ['device, two workers', ['--workers', '2']],
    ['processor, two workers', ['--gpu-memory-limit', '0', '--workers', '2']],
  ]
  let [expected, isSound] = [undefined, true]
  for (const [name, words] of cases) {
    const server = await serve(folder, words)
    try {
      const { answers, times, devices } = await askAll(server.origin, queries)
      expected ??= answers
      const different = answers.filter((answer, i) => answer !== expected[i]).length
      const usesDevice = [...devices.keys()].some((device) => device !== 'cpu')
      if (different > 0 || (name === 'device' && !usesDevice)) isSound = false
      print(
        `${name}: ${answers.length} answers, ${different} differ; compared on ${shown(devices)}`,
      )
      print(`  one client: ${percentiles(times)}`)
      const cpuBefore = cpuSeconds(server.pid)
      const rate = await load(server.origin, folder, queries)
      const cpu = (cpuSeconds(server.pid) - cpuBefore) / (rate * loadSeconds)
      print(
        `  ${connectionsEach * clients} clients: ${rate.toFixed(0)} requests/s, ${(cpu * 1e6).toFixed(0)} us of CPU each`,
      )
      const metrics = await (await fetch(`${server.origin}/metrics`)).text()
      for (const line of metrics.split('\n').filter((line) => /^synoptic_gpu_.*[1-9]/.test(line)))
        print(`  ${line}`)
    } finally {
      server.child.kill('SIGTERM')
      await new Promise((resolve) => server.child.once('exit', resolve))
    }
  }
  return isSound
}

const textsOf = ({ synopsis, descriptions = [] }) =>
  [synopsis, ...descriptions].filter((text) => typeof text === 'string' && text.length > 40)

/** Each text of an entry has sentences of two works, so that no two entries are alike. */
function writeCatalogue(folder, entries, texts) {
  const text = (entry, column) => {
    const [one, other] = [
      entry * 3 + column,
      entry * 5 + column * 11 + Math.floor(entry / texts.length) * 17 + 1,
    ]
    return `${texts[one % texts.length]} ${texts[other % texts.length]}`
  }
  const lines = Array.from({ length: entries }, (_, id) =>
    JSON.stringify({
      id,
      title: `Entry ${id}`,
      one: text(id, 0),
      two: text(id, 1),
      three: text(id, 2),
    }),
  )
  writeFileSync(join(folder, 'made.jsonl'), lines.join('\n'))
  writeFileSync(
    join(folder, 'made.json'),
    JSON.stringify({
      dataset: 'anime',
      file: 'made.jsonl',
      format: 'jsonl',

      fields: { id: 'id', title: 'title' },
      texts: { one: 'one', two: 'two', three: 'three' },
    }),
  )
}

function run(folder, print, words) {
  const begunMs = performance.now()
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words], {
    cwd: folder,
    encoding: 'utf8',
  })
  print(
    `$ synoptic ${words.join(' ')}: status ${status}, ${((performance.now() - begunMs) / 1000).toFixed(1)} s`,
  )
  if (words[0] === 'gpu' || status !== 0) print(`${stdout}${stderr}`.trim())
}

async function serve(folder, words) {
  const settings = [
    '--port',
    '0',
    '--host',
    '127.0.0.1',
    '--rate-limit',
    '0',
    '--query-cache',
    '0',
    '--search-encoder',
    'builtin/static-en',
  ]
  const some = ['--limit-concurrency', '256', ...settings, ...words]
  const child = spawn(process.execPath, [cli, 'serve', ...some], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const origin = await new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        if (output.length < 20_000) output += text
        const [found] = /http:\S+:\d+/.exec(output) ?? []
        if (found !== undefined) resolve(found)
      })
    }
    child.once('exit', (status) =>
      reject(new Error(`the server ended with status ${status}: ${output}`)),
    )
  })
  return { child, origin, pid: child.pid }
}

const bodyOf = (description) => JSON.stringify({ model, description, resultsPerPage: 20 })

async function askAll(origin, queries) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const [answers, times, devices] = [[], [], new Map()]
  // The first searches upload columns and load kernels.
  for (const query of queries.slice(0, 20)) await ask(agent, origin, bodyOf(query))
  for (const query of queries) {
    const begunMs = performance.now()
    const answer = JSON.parse(await ask(agent, origin, bodyOf(query)))
    times.push(performance.now() - begunMs)
    const { device } = answer.meta
    devices.set(device, (devices.get(device) ?? 0) + 1)
    answers.push(JSON.stringify(answer.results))
  }
  agent.destroy()
  return { answers, times, devices }
}

function ask(agent, origin, body) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const sent = request(
      `${origin}/searchmodel/anime`,
      { agent, method: 'POST', headers },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part) => (text += part))
        response.on('end', () => {
          if (response.statusCode === 200) resolve(text)
          else reject(new Error(`status ${response.statusCode}: ${text}`))
        })
      },
    )
    sent.on('error', reject).end(body)
  })
}

/** Requests a second of all clients, each a process of its own. */
async function load(origin, folder, queries) {
  const file = join(folder, 'queries.json')
  writeFileSync(file, JSON.stringify(queries))
  const counts = await Promise.all(
    Array.from({ length: clients }, () => {
      const child = spawn(process.execPath, [
        fileURLToPath(import.meta.url),
        '--client',
        origin,
        file,
      ])
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
      child.stderr.pipe(process.stderr)
      return new Promise((resolve) => child.once('exit', () => resolve(Number(output))))
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0) / loadSeconds
}

async function client(origin, file) {
  const queries = JSON.parse(readFileSync(file, 'utf8'))
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsEach })
  const endMs = performance.now() + loadSeconds * 1000
  let [count, next] = [0, process.pid]
  const connection = async () => {
    while (performance.now() < endMs) {
      await ask(agent, origin, bodyOf(queries[next++ % queries.length]))
      count += 1
    }
  }
  await Promise.all(Array.from({ length: connectionsEach }, connection))
  agent.destroy()
  console.log(count)
}

/** Of the process and its children, on Linux. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter(Boolean)
  const own = (Number(fields[11]) + Number(fields[12])) / 100
  return children.reduce((sum, child) => sum + cpuSeconds(child), own)
}

function percentiles(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(2)
  return `p50 ${at(0.5)} ms, p90 ${at(0.9)}, p99 ${at(0.99)}`
}

const shown = (devices) => [...devices].map(([device, count]) => `${device} (${count})`).join(', ')

if (process.argv[2] === '--client') await client(process.argv[3], process.argv[4])
else await main(process.argv[2], Number(process.argv[3] ?? 60_000))
