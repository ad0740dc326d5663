/** Files of a model that are larger than any real one are refused before anything of them is read. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import * as v from 'valibot'
import { loadTokenizer } from '#synoptic/models/encoders/tokenizer.js'
import { ModelFileError, readJsonIfThere } from '#synoptic/models/format/model-files.js'
import { modelRevision } from '#synoptic/models/format/revision.js'
import { readCheckpoint } from '#synoptic/models/format/weights/checkpoint.js'
import { readSafetensors } from '#synoptic/models/format/weights/safetensors.js'

const mebibyte = 2 ** 20

function folderWith(name: string, bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-model-files-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), '')
  truncateSync(join(folder, name), bytes)
  return folder
}

const tokenizerOptions = { maxTokens: 16, specialTokens: true, lowerCase: false }

test.each<[string, number, (folder: string) => Promise<unknown>]>([
  ['tokenizer.json', 187, (folder) => loadTokenizer(folder, tokenizerOptions)],
  ['config.json', 17, (folder) => readJsonIfThere(join(folder, 'config.json'), v.unknown())],
  ['modules.json', 17, (folder) => modelRevision(folder)],
  ['model.safetensors', 257, (folder) => readSafetensors(join(folder, 'model.safetensors'))],
  ['pytorch_model.bin', 257, (folder) => readCheckpoint(join(folder, 'pytorch_model.bin'))],
])('%s of %i MiB', async (name, size, read) => {
  const folder = folderWith(name, size * mebibyte)
  const reading = read(folder)
  await expect(reading).rejects.toThrow(ModelFileError)
  await expect(reading).rejects.toThrow(
    new RegExp(`${name} has ${size} MiB, expected at most \\d+ MiB`),
  )
})

test.skipIf(process.platform === 'win32')('a pipe in the place of a file', async () => {
  const folder = folderWith('other', 0)
  expect(spawnSync('mkfifo', [join(folder, 'tokenizer.json')]).status).toBe(0)
  await expect(loadTokenizer(folder, tokenizerOptions)).rejects.toThrow(
    'tokenizer.json is not a regular file',
  )
})
