/** The generated files of clients/ agree with the document of the server: what it says has to be in them. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, expect, it } from 'vitest'
import type { Json, OpenApi } from '../http/openapi-document.js'
import { allRoutes, openClientScene } from './scene.js'

const scene = await openClientScene()
const origin = await scene.start(allRoutes)
const text = await (await fetch(`${origin}/openapi.json`)).text()
const document = JSON.parse(text) as OpenApi
const remedy = 'out of date: run tools/clients/generate.js, see clients/typescript/README.md'

const rootOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const files = {
  typescript: 'typescript/src/openapi.ts',

  operations: 'python/src/synoptic_client/operations.py',
  models: 'python/src/synoptic_client/models.py',
  options: 'python/src/synoptic_client/options.py',
}
const read = (name: keyof typeof files) => readFileSync(rootOf(`clients/${files[name]}`), 'utf8')

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method} ${path}`),
)

/** Members of an interface, a schema's or the paths', by name. */
function membersOf(node: ts.Node | undefined): Map<string, ts.TypeNode | undefined> {
  const found = new Map<string, ts.TypeNode | undefined>()
  const visit = (inner: ts.Node): void => {
    if (
      ts.isPropertySignature(inner) &&
      (ts.isIdentifier(inner.name) || ts.isStringLiteral(inner.name))
    ) {
      found.set(inner.name.text, inner.type)
    } else if (
      ts.isInterfaceDeclaration(inner) ||
      ts.isTypeLiteralNode(inner) ||
      ts.isIntersectionTypeNode(inner) ||
      ts.isParenthesizedTypeNode(inner)
    ) {
      ts.forEachChild(inner, visit)
    }
  }
  if (node) visit(node)
  return found
}

const source = ts.createSourceFile('openapi.ts', read('typescript'), ts.ScriptTarget.Latest)
const interfaceOf = (name: string) =>
  membersOf(
    source.statements.find(
      (statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name,
    ),
  )

const propertiesOf = (schema: unknown) =>
  Object.keys((schema as { properties?: Json }).properties ?? {}).toSorted()

it('has every operation in TypeScript', () => {
  const known = [...interfaceOf('paths')].flatMap(([path, item]) =>
    [...membersOf(item)].flatMap(([method, type]) =>
      type && ts.isIndexedAccessTypeNode(type)
        ? [`${JSON.parse(type.indexType.getText(source).replaceAll("'", '"'))} ${method} ${path}`]
        : [],
    ),
  )
  expect(known.toSorted(), remedy).toEqual(operations.toSorted())
})

it('has every member of every schema in TypeScript', () => {
  const schemas = membersOf(interfaceOf('components').get('schemas'))
  const known = Object.fromEntries(
    [...schemas].map(([name, type]) => [name, [...membersOf(type).keys()].toSorted()]),
  )
  const expected = Object.fromEntries(
    Object.entries(document.components.schemas).map(([name, schema]) => [
      name,
      propertiesOf(schema),
    ]),
  )
  expect(known, remedy).toEqual(expected)
})

it('has every operation in Python', () => {
  const lines = /^ {4}"(\w+)": Operation\("(\w+)", "([^"]+)", \[(.*)\]\),$/gm
  const known = [...read('operations').matchAll(lines)].map(
    ([, id = '', method = '', path = '', query = '']) =>
      `${id} ${method.toLowerCase()} ${path} ${[...query.matchAll(/\w+/g)].join()}`,
  )
  const expected = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters = [] }]) => {
      const query = parameters.filter((one) => one.in === 'query').map(({ name }) => name)
      return `${operationId} ${method} ${path} ${query.join()}`
    }),
  )
  expect(known, remedy).toEqual(expected)
})

/** Members of the classes of a generated file; a keyword of Python has a `_` behind it. */
function classesOf(name: keyof typeof files): Record<string, string[]> {
  const [, ...classes] = read(name)
    .replaceAll(/"""[^]*?"""/g, '')
    .split(/^class /m)
  return Object.fromEntries(
    classes.map((lines) => {
      const members = [...lines.matchAll(/^ {4}(\w+?)_?: /gm)].map(([, member = '']) => member)
      return [/^\w+/.exec(lines)?.[0] ?? '', members.toSorted()]
    }),
  )
}

it('has every member of every answer in Python', () => {
  const classes = classesOf('models')
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    if (/Request$|^McpMessage$/.test(name)) continue
    for (const [pythonName, part] of classesFor(name, schema as Json, classes)) {
      expect(classes, remedy).toHaveProperty(pythonName)
      // Of what is a list or a choice, the class has `root`.
      const members = (classes[pythonName] ?? []).filter((member) => member !== 'root')
      expect(members, `${pythonName} is ${remedy}`).toEqual(propertiesOf(part))
    }
  }
})

/**
 * The classes of a schema. A choice or a list that only other schemas use has none of its own: each object of the choice has
 * one with a number, and the items of the list are a schema themselves.
 */
function classesFor(
  name: string,
  schema: Json,
  classes: Record<string, string[]>,
): [string, Json][] {
  const choices = schema.oneOf as Json[] | undefined
  if (name in classes) return [[name, schema]]
  if (schema.type === 'array') return []
  return choices?.map((choice, at) => [`${name}${at + 1}`, choice]) ?? [[name, schema]]
}

it.each([
  ['SearchModelOptions', 'searchModelAnime', 'SearchModelRequest'],
  ['SearchOptions', 'searchAnime', 'SearchRequest'],
  ['SimilarOptions', 'similarAnime', ''],
  ['TitlesOptions', 'completeAnimeTitles', ''],
])('has every setting of %s in Python', (options, id, request) => {
  const operation = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === id)
  const query = (operation?.parameters ?? []).filter((one) => one.in === 'query')
  const names = [
    ...propertiesOf(document.components.schemas[request] ?? {}),
    ...query.map(({ name }) => name),
  ]
  const texts = ['query', 'queries', 'description', 'descriptions', 'prefix']
  expect(classesOf('options')[options], remedy).toEqual(
    names.filter((name) => !texts.includes(name)).toSorted(),
  )
})

it('is what the generators make of this server', ({ skip }) => {
  const programs = ['SYNOPTIC_TEST_OPENAPI_TYPESCRIPT', 'SYNOPTIC_TEST_DATAMODEL_CODEGEN']
  if (programs.some((name) => process.env[name] === undefined)) skip('there are no generators')
  const into = mkdtempSync(join(tmpdir(), 'synoptic-generated-'))
  afterAll(() => rmSync(into, { recursive: true }))
  mkdirSync(join(into, 'typescript', 'src'), { recursive: true })
  mkdirSync(join(into, 'python', 'src', 'synoptic_client'), { recursive: true })
  writeFileSync(join(into, 'openapi.json'), text)
  const words = [rootOf('tools/clients/generate.js'), join(into, 'openapi.json'), into]
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  for (const [name, path] of Object.entries(files)) {
    const made = readFileSync(join(into, path), 'utf8')
    expect(made === read(name as keyof typeof files), `${path} is ${remedy}`).toBe(true)
  }
})
