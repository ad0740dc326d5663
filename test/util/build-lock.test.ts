import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { withBuildLock } from '#synoptic/base/util/build-lock.js'
import { afterAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'synoptic-lock-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Has a look at a lock, as a process that tries to take it has for an instant, and goes after 20 ms. */
const looker = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData.sqlite).then(({ Database }) => {
    const lock = new Database(workerData.file)
    lock.exec('BEGIN; SELECT * FROM sqlite_master')
    parentPort.postMessage('looks')
    setTimeout(() => lock.close(), 20)
  })`

describe('the lock of a build', () => {
  it('is for one at a time, and free again when that one has ended, well or not', async () => {
    const file = join(folder, 'one')
    const nested = await withBuildLock(file, async () => [
      'first',
      await withBuildLock(file, () => Promise.resolve('second')),
    ])
    expect(nested).toEqual(['first', undefined])
    const failing = withBuildLock(file, () => Promise.reject(new Error('broken')))
    await expect(failing).rejects.toThrow('broken')
    expect(await withBuildLock(file, () => Promise.resolve('third'))).toBe('third')
  })

  it('is taken by one of two that ask in the same moment', async () => {
    const file = join(folder, 'two')
    const sqlite = import.meta.resolve('#synoptic/base/util/sqlite.js')
    const workerData = { file: `${file}.lock`, sqlite }
    const other = new Worker(looker, { eval: true, workerData })
    await once(other, 'message')
    expect(await withBuildLock(file, () => Promise.resolve('taken'))).toBe('taken')
    await once(other, 'exit')
  })
})
