/** A kill -9 at any moment of an import leaves the old catalogue, and the next import works. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixtures, jsonlMapping, lines, useWorkshop } from './workshop.js'

const workshop = useWorkshop()

/** Imports and kills itself without any chance to clean up. */
const program = `
import { importDatasets } from '#synoptic/datasets/import.js'
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
  expect(readdirSync(workshop.folder).filter((name) => name.startsWith('catalogue'))).toEqual([
    'catalogue.sqlite',
    'catalogue.sqlite.lock',
  ])
})
