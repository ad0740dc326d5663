/** data/mapping.schema.json, which editors read, and docs/mapping.md, which people read. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { mappingJsonSchema } from '#synoptic/data/datasets/mapping-json-schema.js'
import { readMapping } from '#synoptic/data/datasets/mapping.js'
import { useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const project = fileURLToPath(new URL('../..', import.meta.url))
const read = (...path: string[]) => readFileSync(join(project, ...path), 'utf8')
const schema = JSON.parse(read('data', 'mapping.schema.json')) as {
  properties: { fields: { properties: object } }
  $defs: { field: { anyOf: [object, { properties: object }, object] } }
}
const validate = new Ajv2020({ strict: false }).compile(schema)
const page = read('docs', 'mapping.md')

describe('the schema', () => {
  test('is that of the program (node tools/mapping-schema.js)', () => {
    expect(schema).toEqual(JSON.parse(JSON.stringify(mappingJsonSchema())))
  })

  const sources = ['sources', 'works'].flatMap((folder) =>
    readdirSync(join(project, 'data', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?:^|\/)(?:[\w-]*anime|[\w-]*manga|\d\d)[\w-]*\.json$/.test(name))
      .map((name) => join('data', folder, name)),
  )
  test.each(sources)('accepts %s', (file) => {
    const isMapping = validate(JSON.parse(read(file)))
    expect(validate.errors ?? []).toEqual([])
    expect(isMapping).toBe(true)
  })

  const good = { dataset: 'anime', file: 'a.csv', format: 'csv', fields: { title: 'T' } }
  test.each([
    ['no texts', good],
    ['an unknown member', { ...good, texts: { a: 'A' }, delimiter: ';' }],
    ['an unknown kind', { ...good, texts: { a: { from: 'A', as: 'float' } } }],
    ['a number for a field', { ...good, texts: { a: 3 } }],
  ])('refuses %s, as the program does', async (_, mapping) => {
    expect(validate(mapping)).toBe(false)
    const reading = readMapping(workshop.write('bad.json', mapping))
    await expect(reading).rejects.toThrow(/docs\/mapping\.md .*data\/mapping\.schema\.json/)
  })
})

describe('docs/mapping.md', () => {
  const examples = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => text)

  test('has examples that are mappings', async () => {
    expect(examples.length).toBeGreaterThan(3)
    for (const text of examples) {
      expect(validate(JSON.parse(text)), text).toBe(true)
      await readMapping(workshop.write('example.json', text))
    }
  })

  test('shows every member', () => {
    const { properties, $defs } = schema
    const names = [properties, properties.fields.properties, $defs.field.anyOf[1].properties]
    for (const name of names.flatMap(Object.keys)) {
      if (name !== '$schema') expect(page).toContain(`\`${name}\``)
      const isInExample = examples.some((text) => text.includes(`"${name}"`))
      const isRow = page.includes(`| \`${name}\``) || page.includes(`\`${name}\``)
      expect(isInExample || isRow, name).toBe(true)
    }
  })
})
