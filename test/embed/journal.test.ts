import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '#synoptic/data/embed/journal.js'
import { expect, onTestFinished, test } from 'vitest'

const texts = ['one', 'two', 'three'].map((word) => word.padEnd(16, '.'))

/** Runs a script that may limit the bytes of its files, as a disk does that is full for a moment. */
function run(folder: string, dimension: number, script: string): string {
  const code = `
    import { execFileSync } from 'node:child_process'
    import { openJournal } from '#synoptic/data/embed/journal.js'
    const [one, two, three] = ${JSON.stringify(texts)}
    const limitBytes = (bytes) =>
      execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':'])
    const vector = (value) => new Float32Array(${dimension}).fill(value)
    const attempt = (action) => {
      try { action() } catch ({ code }) { console.log(code) }
    }
    const journal = openJournal(${JSON.stringify(folder)}, ${dimension}, 'model')
    ${script}`
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
}

function readJournal(folder: string, dimension: number) {
  const journal = openJournal(folder, dimension, 'model')
  journal.close()
  const bytes = readFileSync(journal.vectorsPath)
  const values = new Float32Array(new Uint8Array(bytes).buffer)
  return { keys: journal.keys, values: [...values] }
}

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'building')
}

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('a vector that was written in part does not move those that come after it', () => {
  const folder = openFolder()
  const printed = run(
    folder,
    4,
    `journal.append([one], vector(1))
    limitBytes(20)
    attempt(() => journal.append([two], vector(2)))
    limitBytes('unlimited')
    journal.append([three], vector(3))
    journal.close()`,
  )
  expect(printed).toBe('EFBIG\n')
  const [one, , three] = texts
  expect(readJournal(folder, 4)).toEqual({ keys: [one, three], values: [1, 1, 1, 1, 3, 3, 3, 3] })
})

onLinux('hashes that were written in part are written again in their places', () => {
  const folder = openFolder()
  const printed = run(
    folder,
    1,
    `limitBytes(24)
    attempt(() => journal.append([one, two], new Float32Array([1, 2])))
    limitBytes('unlimited')
    journal.append([three], vector(3))
    journal.close()`,
  )
  expect(printed).toBe('EFBIG\n')
  expect(readJournal(folder, 1)).toEqual({ keys: texts, values: [1, 2, 3] })
})

onLinux('what could not be saved is left out by the next build', () => {
  const folder = openFolder()
  const printed = run(
    folder,
    1,
    `journal.append([one], vector(1))
    limitBytes(24)
    journal.append([two], vector(2))
    attempt(() => journal.close())`,
  )
  expect(printed).toBe('EFBIG\n')
  expect(readJournal(folder, 1)).toEqual({ keys: texts.slice(0, 1), values: [1] })
})
