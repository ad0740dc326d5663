/** deploy/reload, which systemd runs: it fails if the reload fails. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { startOnSample } from './sample.js'

const script = fileURLToPath(new URL('../../deploy/reload', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'synoptic-reload-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('ends when the server has reloaded, and with status 1 where it could not', async () => {
  const server = await startOnSample(folder, ['--workers', '1'])
  const env = { PATH: process.env.PATH, SYNOPTIC_LOG_FILE: join(folder, 'logs', 'api.log') }
  const reload = () =>
    spawnSync(script, [String(server.child.pid)], { encoding: 'utf8', env, timeout: 170_000 })
  expect(reload()).toMatchObject({ status: 0, stderr: '' })
  writeFileSync(join(folder, 'data', 'catalogue.sqlite'), 'not a database')
  expect(reload()).toMatchObject({
    status: 1,
    stderr: 'The reload failed; the old data are served. The log says why.\n',
  })
  expect(await server.stop()).toBe(0)
})
