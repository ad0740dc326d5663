/** An import whose texts are a quarter larger than all the memory that its JavaScript may have. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { jsonlMapping, useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const heapMegabytes = 24

const program = `
import { importDatasets } from '#synoptic/data/datasets/import.js'
const [into, ...mappings] = process.argv.slice(1)
await importDatasets(mappings, { into })
`

test('needs no room for all texts at once', () => {
  const characters = 100_000
  const rowCount = (1.25 * heapMegabytes * 1e6) / characters
  // One word a text, since the numbers of words are kept.
  const rows = Array.from({ length: rowCount }, (_, id) => {
    const text = `${'*'.repeat(characters)} ${id}`
    return `${JSON.stringify({ id, title: `Title ${id}`, text })}\n`
  })
  writeFileSync(join(workshop.folder, 'long.jsonl'), rows.join(''))
  const mapping = workshop.write('long.json', jsonlMapping('long'))
  const flags = [`--max-old-space-size=${heapMegabytes}`, '--input-type=module', '-e', program]
  const { status, stderr } = spawnSync(process.execPath, [...flags, workshop.catalogue, mapping], {
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  workshop.read((catalogue) => {
    expect(catalogue.dataset('anime')?.rows).toBe(rowCount)
    expect(catalogue.text('anime', rowCount - 1, 0)).toHaveLength(characters + 4)
  })
})
