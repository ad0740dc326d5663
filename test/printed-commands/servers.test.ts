/** Commands that a server prints, and what they call the program. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { program } from '../helpers/run-cli.js'
import {
  askAll,
  at,
  call,
  commandsIn,
  csv,
  folders,
  follow,
  nightly,
  patient,
  shell,
  startServer,
} from './scene.js'

describe('a command that a server prints runs', () => {
  // Covers server/serve/import-works.ts.
  it('at its first start, and in its banner', nightly, async () => {
    rmSync(at('my data'), { recursive: true })
    const server = await startServer(`'${program}' serve --port 0 --workers 1 ${folders}`)
    try {
      const text = await server.said(/your own data/)
      await follow(text, { FILE: 'mine.csv --into other.json' })
      await askAll(text)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })

  it('that searches the own catalogue, in the dataset that it has', nightly, async () => {
    rmSync(at('my data'), { recursive: true })
    writeFileSync(
      at('mine.csv'),
      `${csv(3).replace('year', 'volumes,year').replaceAll(',2001', ',1,2001').replaceAll(',tv,', ',manga,')}\n`,
    )
    expect(await call('data init mine.csv --force')).toMatchObject({ code: 0 })
    expect(await call('data import mine.json')).toMatchObject({ code: 0 })
    expect(await call('embed build')).toMatchObject({ code: 0 })
    const server = await startServer(`'${program}' serve --port 0 --workers 1 ${folders}`)
    try {
      const text = await server.said(/is ready/)
      expect(text).toContain('manga: 3 entries, 1 synopsis column, searched by')
      expect(text).toContain('/searchmodel/manga')
      expect(text).toContain('/search/manga')
      expect(text).toMatch(/A keeper of a lighthouse finds a bottle/)
      await askAll(text)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })

  // Covers search/composition/inventory.ts, search/index/store.ts, server/serve/health-report.ts.
  it('where it cannot search any more', nightly, async () => {
    const server = await startServer(`'${program}' serve --port 0 --workers 1 ${folders}`)
    try {
      writeFileSync(at('mine.csv'), csv(32))
      await call('data import mine.json')
      server.child.kill('SIGHUP')
      const text = await server.said(/the reload failed[^]*\n/)
      await follow(text)
      server.child.kill('SIGHUP')
      await server.said(/"msg":"reloaded"/)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })

  it('where it starts without embeddings', patient, async () => {
    rmSync(at('vectors'), { recursive: true })
    const server = await startServer(`'${program}' serve --port 0 --workers 1 ${folders}`)
    try {
      const text = await server.said(/To fix it, run/)
      // What the API answers is read elsewhere too: no path is in it, and the user's shell has to know the program.
      const [, origin] = /is ready at (\S+)/.exec(text) ?? []
      const health = await (
        await fetch(`${origin}/`, { headers: { accept: 'application/json' } })
      ).text()
      const bin = at('bin')
      mkdirSync(bin)
      symlinkSync(program, join(bin, 'synoptic'))
      const [command = ''] = commandsIn(health.replaceAll('"', '`'))
      expect(command).toMatch(/^synoptic embed build/)
      const env = {
        PATH: `${bin}:${process.env.PATH}`,
        SYNOPTIC_DATA_DIR: 'my data',
        SYNOPTIC_EMBEDDINGS_DIR: 'vectors',
      }
      expect(await shell(command, env)).toMatchObject({ code: 0 })
      await follow(text)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  })
})

describe('the program is named as the user called it', () => {
  const missing = async (program: string, env: Record<string, string> = {}) => {
    rmSync(at('vectors'), { recursive: true, force: true })
    const { text } = await shell(`${program} eval`, env)
    const [command = ''] = commandsIn(text)
    expect((await shell(command, env)).code, command).toBe(0)
    return command
  }

  it('npx synoptic', nightly, async () => {
    mkdirSync(at('node_modules/.bin'), { recursive: true })
    writeFileSync(at('package.json'), '{}')
    symlinkSync(program, at('node_modules/.bin/synoptic'))
    const env = { SYNOPTIC_DATA_DIR: 'my data', SYNOPTIC_EMBEDDINGS_DIR: 'vectors' }
    const command = await missing('npx --no-install synoptic', env)
    expect(command).toMatch(
      /^npx synoptic embed build --data-dir 'my data' --embeddings-dir vectors/,
    )
  })

  it('synoptic, with a configuration file', patient, async () => {
    mkdirSync(at('bin'))
    symlinkSync(program, at('bin/synoptic'))
    writeFileSync(at('my settings.json'), '{"dataDir":"my data","embeddingsDir":"vectors"}')
    const env = { PATH: `${at('bin')}:${process.env.PATH}`, SYNOPTIC_CONFIG: 'my settings.json' }
    const command = await missing('synoptic', env)
    expect(command).toMatch(/^synoptic embed build --config 'my settings.json'/)
  })
})
