/** A catalogue of anime only, as somebody has who imports his own file. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '#synoptic/base/config/read.js'
import { commonSettings } from '#synoptic/base/config/settings.js'
import { importWorks } from '#synoptic/server/serve/import-works.js'
import { startServer, type ServerChild } from './child.js'
import { sampleFolder } from './sample.js'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-anime-only-'))
let server: ServerChild
beforeAll(async () => {
  const words = ['data', 'embeddings'].flatMap((name) => [`--${name}-dir`, join(folder, name)])
  const { settings } = readSettings(commonSettings, words, {})
  const file = join(settings.dataDir, 'catalogue.sqlite')
  const silent = pino({ level: 'silent' })
  await importWorks(file, settings, silent, [join(sampleFolder, 'anime.json')])
  server = await startServer(folder, ['--workers', '1'])
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

describe('a catalogue of anime only', () => {
  it('is healthy, and says that manga is not imported', async () => {
    const health = await fetch(server.origin)
    expect(await health.json()).toMatchObject({ status: 'ok', reasons: ['manga: not imported'] })
    const ready = await fetch(`${server.origin}/readyz`)
    expect(ready.status).toBe(200)
    expect(await ready.json()).toEqual({ status: 'ok', reasons: ['manga: not imported'] })
  })

  it('is printed at the start, with where everything lies and who can reach it', () => {
    const { stdout } = server.output
    expect(stdout).toMatch(/ {2}anime: \d+ entries/)
    expect(stdout).toContain('open to: programs on this machine only')
    expect(stdout).toContain(`  data: ${join(folder, 'data')}\n`)
    expect(stdout).toContain(`  embeddings: ${join(folder, 'embeddings')}\n`)
    expect(stdout).toContain(`  log: ${join(folder, 'logs', 'api.log')}\n`)
  })
})

it('a server that is open to others says to whom', async () => {
  const open = await startServer(folder, ['--workers', '1', '--host', '0.0.0.0'])
  expect(open.output.stdout).toMatch(/open to: every machine that reaches port .*every origin/)
  expect(await open.stop()).toBe(0)
})
