/** Names that mean something to JavaScript are names like others. */
import { expect, test } from 'vitest'
import { useWorkshop } from './workshop.js'

const workshop = useWorkshop()
const names = ['constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty']

test('metadata, fields and columns may have the names of inherited members', async () => {
  const row = [['Nr', 1], ['Title', 'Jumanji'], ...names.map((name) => [name, `of ${name}`])]
  const blank = [
    ['Nr', 2],
    ['Title', 'Zathura'],
  ]
  const lines = [row, blank].map((members) => JSON.stringify(Object.fromEntries(members)))
  workshop.write('a.jsonl', lines.join('\n'))
  const own = Object.fromEntries(names.map((name) => [name, name]))
  // JSON.parse makes __proto__ a member, an object literal would not.
  const texts = JSON.parse(`{"constructor": "constructor", "__proto__": "toString"}`) as object
  const mapping = {
    dataset: 'anime',
    file: 'a.jsonl',
    format: 'jsonl',
    fields: { id: 'Nr', title: 'Title' },
    metadata: own,
    texts,
  }
  await workshop.import(workshop.write('a.json', mapping))
  const [full, empty] = workshop.entries('anime')
  expect(workshop.read((catalogue) => catalogue.dataset('anime')?.columns)).toEqual([
    'constructor',
    '__proto__',
  ])
  expect(full?.texts).toEqual(['of constructor', 'of toString'])
  expect(Object.entries(full?.metadata ?? {})).toEqual(names.map((name) => [name, `of ${name}`]))
  expect(empty?.texts).toEqual([null, null])
  expect(Object.entries(empty?.metadata ?? {})).toEqual(names.map((name) => [name, null]))
})

test('metadata named __proto__ is refused like any other that begins with _', async () => {
  const metadata = JSON.parse('{"__proto__": "X"}') as object
  const mapping = {
    dataset: 'anime',
    file: 'a.jsonl',
    format: 'jsonl',
    fields: { id: 'Nr', title: 'Title' },
    metadata,
    texts: { synopsis: 'S' },
  }
  await expect(workshop.import(workshop.write('a.json', mapping))).rejects.toThrow(
    /metadata\.__proto__: expected a name of letters/,
  )
})

test('values named so are replaced', async () => {
  workshop.write('a.jsonl', '{"Nr": 1, "Title": "Jumanji", "Kind": "constructor", "S": "A game."}')
  const mapping = {
    dataset: 'anime',
    file: 'a.jsonl',
    format: 'jsonl',
    fields: { id: 'Nr', title: 'Title' },
    metadata: { kind: { from: 'Kind', values: { constructor: 'builder' } } },
    texts: { synopsis: 'S' },
  }
  await workshop.import(workshop.write('a.json', mapping))
  expect(workshop.entries('anime')[0]?.metadata).toMatchObject({ kind: 'builder' })
})
