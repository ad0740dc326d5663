/** Scripts of tools/ are not compiled: what they import of the build has to be there. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const tools = fileURLToPath(new URL('../tools', import.meta.url))
const imports =
  /(?:import|const)\s+(?:(?<all>\*)|\{(?<names>[^}]*)\})[^'"{}]*['"](?:#synoptic|(?:\.\.\/)+dist)\/(?<path>[^'"]+\.js)['"]/g

interface Imported {
  readonly path: string
  readonly names: readonly string[]
}

function importsOf(source: string): Imported[] {
  return [...source.matchAll(imports)].map(({ groups: { path = '', names = '' } = {} }) => ({
    path,
    names: names.split(',').flatMap((name) => /^\s*(\w+)/.exec(name)?.[1] ?? []),
  }))
}

async function missingOf({ path, names }: Imported): Promise<string[]> {
  const { href } = new URL(`../dist/${path}`, import.meta.url)
  const module: unknown = await import(href).catch(() => undefined)
  if (typeof module !== 'object' || module === null) return [path]
  return names.filter((name) => !(name in module)).map((name) => `${name} of ${path}`)
}

const scripts = readdirSync(tools, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js') && !name.includes('node_modules'))
  .flatMap((name) => {
    const found = importsOf(readFileSync(join(tools, name), 'utf8'))
    return found.length === 0 ? [] : [{ name, found }]
  })

it('are found in many scripts', () => {
  expect(scripts.length).toBeGreaterThan(15)
  expect(scripts.flatMap(({ found }) => found).length).toBeGreaterThan(60)
})

it.each(scripts)('$name imports what the build exports', async ({ found }) => {
  expect((await Promise.all(found.map(missingOf))).flat()).toEqual([])
})

it.each([
  [
    'a name',
    "import {\n  readSettings,\n  gone as other,\n} from '../../dist/base/config/read.js'",
    'gone of base/config/read.js',
  ],
  ['a file', "import { x } from '#synoptic/base/gone.js'", 'base/gone.js'],
  ['a file of a whole', "import * as all from '../dist/gone.js'", 'gone.js'],
  [
    'a late import',
    "const { gone } = await import('#synoptic/base/config/read.js')",
    'gone of base/config/read.js',
  ],
])('%s that is gone is found', async (_, source, missing) => {
  expect((await Promise.all(importsOf(source).map(missingOf))).flat()).toEqual([missing])
})
