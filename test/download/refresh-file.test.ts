/** A file that is fetched when it has changed: broken transfers, checksums, new versions and kills. */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refreshFile, type RefreshOptions } from '#synoptic/base/download/refresh-file.js'
import { UpstreamError } from '#synoptic/base/errors/index.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startDumpServer, type DumpServer } from '../helpers/dump-server.js'

const content = randomBytes(400_000)
const sha1Of = (bytes: Buffer) => createHash('sha1').update(bytes).digest('hex')
let folder = ''
let server: DumpServer
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-refresh-'))
  server = await startDumpServer(() => `${file()}.partial`)
  server.publish('dump', content)
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const file = () => join(folder, 'dump')
const refresh = (options: Partial<RefreshOptions> = {}) =>
  refreshFile({ url: `${server.url}dump`, file: file(), firstWaitMs: 1, ...options })
const withChecksum = () => ({ checksumUrl: `${server.url}dump.sha1` })

test('a cut connection goes on where it was', async () => {
  server.cut('dump', 100_000, 50_000)
  const steps: number[] = []
  const { isNew, bytes, sha256 } = await refresh({ onProgress: (done) => steps.push(done) })
  expect({ isNew, bytes }).toEqual({ isNew: true, bytes: content.length })
  expect(sha256).toBe(createHash('sha256').update(content).digest('hex'))
  expect(readFileSync(file()).equals(content)).toBe(true)
  expect(server.log).toEqual(['dump 200', 'dump 206 bytes=100000-', 'dump 206 bytes=150000-'])
  expect(steps.at(-1)).toBe(content.length)
  expect(readdirSync(folder).sort()).toEqual(['dump', 'dump.json'])
})

test('a file that is too large is refused, and nothing of it stays', async () => {
  const problem = /dump: expected at most 300000 bytes, received more/
  await expect(refresh({ maxBytes: 300_000 })).rejects.toThrow(problem)
  expect(readdirSync(folder)).toEqual([])
  server.cut('dump', 100_000)
  const onRetry = () => server.publish('dump', Buffer.concat([content, content]))
  await expect(refresh({ maxBytes: 500_000, onRetry })).rejects.toThrow(/at most 500000 bytes/)
  expect(readdirSync(folder)).toEqual([])
  expect((await refresh({ maxBytes: 800_000 })).bytes).toBe(800_000)
})

test('what is of another version by now is fetched whole', async () => {
  server.cut('dump', 100_000)
  const other = randomBytes(300_000)
  await refresh({ onRetry: () => server.publish('dump', other) })
  expect(readFileSync(file()).equals(other)).toBe(true)
  expect(server.log).toEqual(['dump 200', 'dump 200 bytes=100000-'])
})

test('what has not changed is not fetched again, what has is', async () => {
  const first = await refresh()
  expect(await refresh()).toEqual({ ...first, isNew: false })
  expect(server.log).toEqual(['dump 200', 'dump 304'])
  rmSync(file())
  expect((await refresh()).isNew).toBe(true)
  server.publish('dump', 'another')
  expect(await refresh()).toMatchObject({ isNew: true, bytes: 7 })
  expect(readFileSync(file(), 'utf8')).toBe('another')
})

test('the checksum shows what has changed, and is compared', async () => {
  server.publish('dump.sha1', `${sha1Of(content)}  dump\n`)
  expect((await refresh(withChecksum())).isNew).toBe(true)
  expect((await refresh(withChecksum())).isNew).toBe(false)
  expect(server.log).toEqual(['dump.sha1 200', 'dump 200', 'dump.sha1 200'])
})

test('a wrong checksum changes nothing, and nothing of the file is kept', async () => {
  await refresh()
  server.publish('dump', 'broken on its way')
  server.publish('dump.sha1', sha1Of(Buffer.from('as its makers made it')))
  await expect(refresh(withChecksum())).rejects.toThrow(/dump: expected the SHA-1 .*, received/)
  expect(readFileSync(file()).equals(content)).toBe(true)
  expect(readdirSync(folder).sort()).toEqual(['dump', 'dump.json'])
  server.publish('dump.sha1', '<html>')
  await expect(refresh(withChecksum())).rejects.toThrow(/expected 40 hexadecimal digits/)
})

test('a refusal names the file and the status', async () => {
  const missing = refresh({ url: `${server.url}other` })
  await expect(missing).rejects.toThrow(UpstreamError)
  await expect(missing).rejects.toThrow(/refused other \(404\): there is no such file/)
})

test('after a kill the next run goes on where the transfer was', async () => {
  const program = `
    import { refreshFile } from '#synoptic/base/download/refresh-file.js'
    const [url, file] = process.argv.slice(1)
    await refreshFile({ url, file })`
  const reached = server.hang('dump', 250_000)
  const args = ['--input-type=module', '-e', program, `${server.url}dump`, file()]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  await reached
  const partial = `${file()}.partial`
  await expect
    .poll(() => existsSync(partial) && statSync(partial).size, { timeout: 170_000 })
    .toBe(250_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(existsSync(file())).toBe(false)
  server.release()
  await refresh()
  expect(server.log).toEqual(['dump 200', 'dump 206 bytes=250000-'])
  expect(readFileSync(file()).equals(content)).toBe(true)
})
