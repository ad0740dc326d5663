/** What a kill may leave of the journal, at every byte. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { lineOf, openJournal, readJournal } from '#synoptic/data/writes/journal.js'
import type { WriteRecord } from '#synoptic/data/writes/operation.js'

const scratch = mkdtempSync(join(tmpdir(), 'synoptic-journal-'))
afterAll(() => rmSync(scratch, { recursive: true }))
let files = 0
const newFile = () => join(scratch, `${(files += 1)}.journal`)

const record = (seq: number): WriteRecord => ({
  seq,
  at: '2026-11-29T12:00:00.000Z',
  operation: { kind: 'delete', dataset: 'anime', ids: [seq, 7] },
})
const lines = [1, 2, 3].map((seq) => lineOf(record(seq)))

describe('the journal', () => {
  it('has every answered write when it is read again, and goes on after them', async () => {
    const file = newFile()
    const first = await openJournal(file)
    await Promise.all([1, 2, 3].map(async (seq) => first?.journal.append(record(seq))))
    await first?.journal.close()
    const second = await openJournal(file)
    expect(second?.contents).toMatchObject({ records: [1, 2, 3].map(record), tornBytes: 0 })
    await second?.journal.append(record(4))
    await second?.journal.close()
    expect(readJournal(file).records.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
  })

  it('drops a last line that is torn at any byte, and keeps all others', async () => {
    const whole = lines.join('')
    const kept = Buffer.byteLength(lines.slice(0, 2).join(''))
    for (let bytes = kept; bytes < Buffer.byteLength(whole); bytes += 1) {
      const file = newFile()
      writeFileSync(file, Buffer.from(whole).subarray(0, bytes))
      expect(readJournal(file)).toMatchObject({ bytes: kept, tornBytes: bytes - kept })
    }
    const file = newFile()
    writeFileSync(file, whole.slice(0, -5))
    const opened = await openJournal(file)
    await opened?.journal.append(record(9))
    await opened?.journal.close()
    expect(readJournal(file).records.map(({ seq }) => seq)).toEqual([1, 2, 9])
  })

  it.each([0, 1])('refuses damage in line %i, which others follow', async (line) => {
    for (const at of [0, 20, (lines[line] ?? '').length - 2]) {
      const damaged = lines.map((text, i) =>
        i === line ? `${text.slice(0, at)}~${text.slice(at + 1)}` : text,
      )
      const file = newFile()
      writeFileSync(file, damaged.join(''))
      const named = new RegExp(`line ${line + 1} of the journal of writes is damaged`)
      expect(() => readJournal(file)).toThrow(named)
      await expect(openJournal(file)).rejects.toThrow(named)
      expect(readFileSync(file, 'utf8')).toBe(damaged.join(''))
    }
  })

  it('belongs to one owner at a time', async () => {
    const file = newFile()
    const owner = await openJournal(file)
    expect(await openJournal(file)).toBeUndefined()
    await owner?.journal.close()
    const next = await openJournal(file)
    expect(next).toBeDefined()
    await next?.journal.close()
  })

  it('forgets only what is all in the catalogue', async () => {
    const file = newFile()
    const opened = await openJournal(file)
    await opened?.journal.append(record(1))
    await opened?.journal.append(record(2))
    await opened?.journal.forget(1)
    expect(readJournal(file).records).toHaveLength(2)
    await opened?.journal.forget(2)
    expect(readFileSync(file)).toHaveLength(0)
    await opened?.journal.append(record(3))
    await opened?.journal.close()
    expect(readJournal(file).records).toEqual([record(3)])
  })
})
