/**
 * A copy of the build in which constants read their values from globalThis.variedConstants, so one process can measure
 * many values. Each must be found exactly once in its module.
 */
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** @param {{ id: string, file: string, at?: string }[]} constants as in constants.json */
export function copyVaried(folder, constants) {
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['dist', 'tools', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ['node_modules', 'build', 'models', 'data', 'bench', 'docs'])
    symlinkSync(join(root, name), join(folder, name))
  for (const constant of constants) {
    const file = join(folder, 'dist', `${constant.file}.js`)
    writeFileSync(file, withVariable(readFileSync(file, 'utf8'), constant))
  }
}

function withVariable(source, { id, file, at, number, as }) {
  const key = JSON.stringify(id)
  const declared =
    /^(?:(\w+) = )?/.exec(at ?? '')[1] ?? (at === undefined ? id.split('.').at(-1) : undefined)
  if (declared !== undefined) return withRead(source, { key, id, file, declared })
  const found = number ?? /-?[0-9.]+(?=\D*$)/.exec(at)?.[0]
  const read = `globalThis.readVaried(${key})`
  const member = /^(\w+): [0-9.]+$/.exec(at)
  const varied =
    as?.replace('VALUE', read) ??
    (member ? `get ${member[1]}() { return ${read} }` : at.replace(found, read))
  const pattern = new RegExp(`(?<!\\w)${escape(at)}(?![\\w.])`, 'g')
  return `globalThis.declareVaried(${key}, ${found});\n${once(source, pattern, id, file, () => varied)}`
}

/** A constant with a name: each use reads it. Modules that import it see what is declared, so it is set there, too. */
function withRead(source, { key, id, file, declared }) {
  const declaration = new RegExp(`\\b(export )?const ${declared} = (-?[0-9.]+);`, 'g')
  const uses = new RegExp(`(?<![.\\w$])${declared}(?![\\w$]|:)`, 'g')
  let begin = ''
  const without = once(source, declaration, id, file, (_, isExported, value) => {
    begin = `globalThis.declareVaried(${key}, ${value});\n`
    if (!isExported) return ''
    begin = `globalThis.declareVaried(${key}, ${value}, (value) => { \u0001 = value; });\n`
    return `export let \u0001 = ${value};`
  })
  const read = `globalThis.readVaried(${key})`
  const varied = begin.includes('\u0001')
    ? without
    : without.replace(uses, (_, at) =>
        isShorthand(without, at, declared) ? `${declared}: ${read}` : read,
      )
  return (begin + varied).replaceAll('\u0001', declared)
}

/** Whether a name at a place is a member of an object that is written without a value. */
function isShorthand(source, at, name) {
  if (!/[{,]\s*$/.test(source.slice(0, at)) || !/^\s*[,}]/.test(source.slice(at + name.length)))
    return false
  let depth = 0
  for (let before = at - 1; before >= 0; before -= 1) {
    const mark = source[before]
    if (')]}'.includes(mark)) depth += 1
    if ('([{'.includes(mark) && depth-- === 0) return mark === '{'
  }
  return false
}

function once(source, pattern, id, file, by) {
  const count = source.match(pattern)?.length ?? 0
  if (count !== 1) throw new Error(`${id}: expected once in ${file}, found ${count} times`)
  return source.replace(pattern, by)
}

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
