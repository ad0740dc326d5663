import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { withBuildLock } from '#synoptic/util/build-lock.js'
import { readSettings } from '#synoptic/config/read.js'
import { commonSettings, settingNames } from '#synoptic/config/settings.js'
import { importWorks } from '#synoptic/serve/import-works.js'
import { expect, onTestFinished, test } from 'vitest'

test('the works are imported by one process at a time, which nobody disturbs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-first-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'catalogue.sqlite')
  const aside = `${file}.first-start`
  const { settings } = readSettings(commonSettings, ['--data-dir', folder], {}, settingNames)
  const start = () => importWorks(file, settings, pino({ level: 'silent' }))
  await withBuildLock(`${file}.starting`, async () => {
    writeFileSync(aside, 'imported, its embeddings are being built')
    await expect(start()).rejects.toThrow(/another process is building this catalogue/)
    expect(existsSync(aside)).toBe(true)
    writeFileSync(file, 'whole')
  })
  // Whoever comes after it finds what it has made.
  await start()
  expect(existsSync(aside)).toBe(true)
})
