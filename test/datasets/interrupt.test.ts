/** Ctrl-C during an import: nothing changes, and nothing is left behind. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { barSize } from '#synoptic/cli/bar-size.js'
import { program } from '../helpers/run-cli.js'
import { catalogueFiles, filesOfOne, jsonlMapping, useWorkshop } from './workshop.js'

const workshop = useWorkshop()

test('Ctrl-C while sources are read keeps the old catalogue and leaves no temporary file', async () => {
  workshop.write('old.jsonl', JSON.stringify({ id: 1, title: 'Old', text: 'A plot.' }))
  await workshop.import(workshop.write('old.json', jsonlMapping('old')))
  const old = readFileSync(workshop.catalogue)
  const rows = Array.from({ length: 60_000 }, (_, id) =>
    JSON.stringify({
      id,
      title: `Work ${id}`,
      text: `${id} ${'a plot of many words '.repeat(40)}`,
    }),
  )
  workshop.write('long.jsonl', rows.join('\n'))
  const mapping = workshop.write('long.json', jsonlMapping('long'))
  const words = ['data', 'import', mapping, '--data-dir', workshop.folder]
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const ended = once(child, 'close')
  while (!readdirSync(workshop.folder).includes('catalogue.sqlite.staged')) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  child.kill('SIGINT')
  const [status] = (await ended) as [number]
  expect(printed).toBe('Stopped. The catalogue is unchanged, and no temporary file is left.\n')
  expect(status).toBe(130)
  expect(readFileSync(workshop.catalogue).equals(old)).toBe(true)
  expect(catalogueFiles(workshop.folder)).toEqual(filesOfOne('anime'))
  expect(join(workshop.folder, 'catalogue.sqlite')).toBe(workshop.catalogue)
})

test.each([
  [80, 15, 40],
  [30, 15, 14],
  [10, 15, 4],
])('in %d columns, a bar next to %d characters is %d wide', (columns, text, size) => {
  expect(barSize(text, columns)).toBe(size)
})
