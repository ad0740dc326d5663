/** Writes data/mapping.schema.json, which editors check mappings with, from the schema that `data import` checks. */
import { writeFileSync } from 'node:fs'
import { mappingJsonSchema } from '#synoptic/data/datasets/mapping-json-schema.js'

const text = JSON.stringify(mappingJsonSchema(), undefined, 2)
writeFileSync(new URL('../data/mapping.schema.json', import.meta.url), `${text}\n`)
