import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { openScene, withoutSearch } from '../faults/scene.js'
import { freePort } from '../helpers/sockets.js'
import { ask, cli, deathNote, workersOf, type ServerChild } from './child.js'
import { startLoad, until } from './load.js'

const sample = fileURLToPath(new URL('../../data/sample', import.meta.url))

/** Runs a command while the server runs. */
async function run(folder: string, ...words: string[]): Promise<void> {
  const child = spawn(process.execPath, [cli, ...words], { cwd: folder })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [status] = (await once(child, 'exit')) as [number]
  expect(status, output).toBe(0)
}

const lighthouse = {
  id: 999_999,
  title: 'The Lighthouse of Zebras',
  type: 'tv',
  genres: ['Fantasy'],
  year: 2020,
  synopsis: 'Zebras keep a lighthouse on a glacier and forecast avalanches by accordion.',
  logline: 'Zebras, a lighthouse, an accordion.',
}
const zebras = { model: 'builtin/static-en', description: lighthouse.synopsis }

async function importMore(folder: string): Promise<void> {
  cpSync(sample, join(folder, 'sources'), { recursive: true })
  appendFileSync(join(folder, 'sources', 'anime.jsonl'), `${JSON.stringify(lighthouse)}\n`)
  await run(folder, 'data', 'import', 'sources/anime.json', 'sources/manga.json', '--works', 'off')
}

const firstTitle = async (server: ServerChild) => {
  const { status, body } = await ask(server.origin, zebras)
  expect(status).toBe(200)
  return (body.results as { title: string }[])[0]?.title
}

describe('SIGHUP', () => {
  it.each(['1', '2'])(
    'to %s process(es) swaps in new data, and no request under way or to come fails',
    async (workers) => {
      const server = await openScene([
        '--workers',
        workers,
        ...(workers === '1' ? [] : withoutSearch),
      ])
      // One slow client leaves the processor to the commands; while it reloads, there are more.
      const loads = [startLoad(server.origin, 1, { pauseMs: 10 })]
      await importMore(server.folder)
      await run(server.folder, 'embed', 'build')
      expect(await firstTitle(server)).not.toBe(lighthouse.title)
      expect((await fetch(`${server.origin}/readyz`)).status).toBe(200)

      loads.push(startLoad(server.origin))
      await until(() => loads.every(({ outcomes }) => (outcomes.get('200') ?? 0) > 20))
      server.child.kill('SIGHUP')
      await until(() => server.output.stderr.includes('"reloaded"'))
      for (let i = 0; i < 10; i++) expect(await firstTitle(server)).toBe(lighthouse.title)
      for (const load of loads) expect(Object.keys(await load.stop())).toEqual(['200'])
      expect(await server.stop()).toBe(0)
    },
  )

  it('ends whatever becomes of the workers meanwhile', async () => {
    // A port that is any free one would be another when the last worker that listens is gone.
    const server = await openScene([
      '--workers',
      '2',
      '--port',
      String(await freePort()),
      ...withoutSearch,
    ])
    const reloads = () => server.output.stderr.match(/"reloaded"/g)?.length ?? 0
    const [first = 0] = workersOf(server)
    process.kill(first, 'SIGKILL')
    server.child.kill('SIGHUP')
    await until(() => reloads() === 1)

    // In the place of a second one, another starts, which is not ready for a signal.
    await until(() => workersOf(server).length === 2)
    const old = workersOf(server)
    process.kill(old[0] ?? 0, 'SIGKILL')
    await until(() => workersOf(server).some((pid) => !old.includes(pid)))
    server.child.kill('SIGHUP')
    await until(() => reloads() === 2)

    server.child.kill('SIGHUP')
    for (const pid of workersOf(server)) process.kill(pid, 'SIGKILL')
    await until(() => reloads() === 3)
    await until(() =>
      ask(server.origin, deathNote).then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
    expect(server.output.stderr).not.toContain('the reload failed')
    expect(await server.stop()).toBe(0)
  })

  it('waits for a worker that has just been forked, and so does the end', async () => {
    const server = await openScene(['--workers', '2', ...withoutSearch])
    const forkOneMore = async () => {
      const old = workersOf(server)
      process.kill(old[0] ?? 0, 'SIGKILL')
      await until(() => workersOf(server).some((pid) => !old.includes(pid)))
    }
    await forkOneMore()
    server.child.kill('SIGHUP')
    await until(() => server.output.stderr.includes('"reloaded"'))
    expect((await ask(server.origin, deathNote)).status).toBe(200)

    await forkOneMore()
    // One that hears nothing of the end is killed after 12 s.
    expect(await Promise.race([server.stop(), sleep(11_000, 'still there')])).toBe(0)
  })

  it('changes nothing where a dataset could not be searched any more, and says what to do', async () => {
    const server = await openScene(withoutSearch)
    await importMore(server.folder)
    server.child.kill('SIGHUP')
    await until(() => server.output.stderr.includes('the reload failed'))
    expect(server.output.stderr).toMatch(/cannot be searched: anime .*synoptic embed build/)
    expect((await ask(server.origin, deathNote)).status).toBe(200)

    await run(server.folder, 'embed', 'build')
    server.child.kill('SIGHUP')
    await until(() => server.output.stderr.includes('"reloaded"'))
    expect(await firstTitle(server)).toBe(lighthouse.title)
    expect(await server.stop()).toBe(0)
  })

  it("takes up the names of the user's models, and none of a file that cannot be used", async () => {
    const server = await openScene(withoutSearch)
    const file = join(server.folder, 'models', 'custom.json')
    mkdirSync(join(server.folder, 'models'), { recursive: true })
    const question = { model: 'mine/anime', description: 'zebras' }
    const answer = () => ask(server.origin, question)
    writeFileSync(file, '{"models": [{"name": "mine/anime"}]}')
    expect(await answer()).toMatchObject({ status: 400 })

    server.child.kill('SIGHUP')
    await until(() => server.output.stderr.includes('"reloaded"'))
    const { status, body } = await answer()
    expect(status).toBe(404)
    expect(body.detail).toMatch(/mine\/anime is not installed/)
    const listed = await (await fetch(`${server.origin}/models/mine/anime`)).json()
    expect(listed).toMatchObject({ description: 'Your own model.', installed: false })

    writeFileSync(file, '{"models": [{"name": "mine/another", "dimension": "many"}]}')
    server.child.kill('SIGHUP')
    await until(() => server.output.stderr.includes('the reload failed'))
    expect(server.output.stderr).toContain('models.0.dimension')
    expect((await answer()).status).toBe(404)
    expect(await server.stop()).toBe(0)
  })

  it('that comes while one waits for its turn is part of that one', async () => {
    const server = await openScene(withoutSearch)
    for (let signal = 0; signal < 40; signal++) {
      server.child.kill('SIGHUP')
      await sleep(5)
    }
    const file = join(server.folder, 'models', 'custom.json')
    mkdirSync(join(server.folder, 'models'), { recursive: true })
    writeFileSync(file, '{"models": [{"name": "mine/last"}]}')
    server.child.kill('SIGHUP')
    await until(async () => (await fetch(`${server.origin}/models/mine/last`)).ok)
    expect(await server.stop()).toBe(0)
    // A stop ends the one under way, and the one that waits; there are no more.
    const ended = server.output.stderr.match(/the reload failed/g) ?? []
    expect(ended.length).toBeLessThanOrEqual(2)
  })

  it.each(['1', '2'])(
    'to %s process(es) with a damaged catalogue changes nothing',
    async (workers) => {
      const server = await openScene(['--workers', workers, ...withoutSearch])
      const file = join(server.folder, 'data', 'catalogue.sqlite')
      // Replaced as an import would, not written over.
      rmSync(file)
      writeFileSync(file, 'no database')
      server.child.kill('SIGHUP')
      await until(() => server.output.stderr.includes('the reload failed'))
      expect((await ask(server.origin, deathNote)).status).toBe(200)
      expect(await server.stop()).toBe(0)
    },
  )
})
