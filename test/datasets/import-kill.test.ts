/** A kill -9 at any moment of an import leaves the old catalogue, and the next import works. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  catalogueFiles,
  filesOfOne,
  fixtures,
  jsonlMapping,
  lines,
  useWorkshop,
} from './workshop.js'

const workshop = useWorkshop()

/** Imports and kills itself without any chance to clean up. */
const program = `
import { importDatasets } from '#synoptic/data/datasets/import.js'
const [mapping, into, phase, share] = process.argv.slice(1)
await importDatasets([mapping], {
  into,
  onProgress: (progress) => {
    if (progress.phase === phase && progress.done >= progress.total * Number(share)) {
      process.kill(process.pid, 'SIGKILL')
    }
  },
})
`

test.each([
  ['while it reads', 'read', 0],
  ['as it begins to write', 'write', 0],
  ['while it writes', 'write', 0.5],
  ['when every row is written', 'write', 1],
])('%s', async (_, phase, share) => {
  await workshop.import(join(fixtures, 'shelf.json'))
  const before = readFileSync(workshop.catalogue)
  const text = 'Some words of a story that goes on. '.repeat(20)
  const rows = Array.from({ length: 3000 }, (_, id) => ({ id, title: `Title ${id}`, text }))
  workshop.write('new.jsonl', lines(...rows))
  const mapping = workshop.write('new.json', jsonlMapping('new'))

  const args = [
    '--input-type=module',
    '-e',
    program,
    mapping,
    workshop.catalogue,
    phase,
    `${share}`,
  ]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(signal).toBe('SIGKILL')
  expect(existsSync(`${workshop.catalogue}.building`)).toBe(phase === 'write' && share > 0)
  expect(readFileSync(workshop.catalogue).equals(before)).toBe(true)
  expect(workshop.entries('anime')).toHaveLength(4)

  await workshop.import(mapping)
  expect(workshop.entries('anime')).toHaveLength(3000)
  expect(catalogueFiles(workshop.folder)).toEqual(filesOfOne('anime'))
})

test('while it writes the index of rows', async () => {
  await workshop.import(join(fixtures, 'shelf.json'))
  const before = catalogueFiles(workshop.folder)
  const old = readFileSync(workshop.catalogue)
  // Many distinct words, so that the index takes a while.
  const rows = Array.from({ length: 6000 }, (_, id) => {
    const words = Array.from({ length: 60 }, (_, at) => `w${(id * 61 + at * 7919) % 99_991}q`)
    return { id, title: `Title ${id}`, text: words.join(' ') }
  })
  workshop.write('new.jsonl', lines(...rows))
  const mapping = workshop.write('new.json', jsonlMapping('new'))
  const args = ['--input-type=module', '-e', program, mapping, workshop.catalogue, 'never', '1']
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>
  const isBuilding = () =>
    readdirSync(workshop.folder).some((name) => name.includes('rows.building'))
  while (!isBuilding() && child.exitCode === null) await delay(1)
  child.kill('SIGKILL')
  expect((await ended)[1]).toBe('SIGKILL')
  expect(readFileSync(workshop.catalogue).equals(old)).toBe(true)
  expect(catalogueFiles(workshop.folder)).toEqual(expect.arrayContaining([...before]))
  expect(workshop.entries('anime')).toHaveLength(4)
  await workshop.import(mapping)
  expect(catalogueFiles(workshop.folder)).toEqual(filesOfOne('anime'))
  const hits = await workshop.read((catalogue) => catalogue.lexical('anime', 'w61q', 5))
  expect(hits[0]?.row).toBe(1)
})
