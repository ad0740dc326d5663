/**
 * Measures what each constant of data/query/constants.json brings to /search and POST /recommend:
 *   node tools/fit-constants/measure.js --works FOLDER --left-out FOLDER [--part fitting] [--only ID,ID] [--search]
 *     [--most 40] [--kinds KIND;KIND] [--encoders MODEL,MODEL] [--json FILE] [--values FILE] [--before FILE]
 * See README.md. The values are varied in memory.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { constants } from '../../dist/base/constants/constants.js'
import { openEvaluation } from './queries.js'

const text = { type: 'string' }
const { values: options } = parseArgs({
  options: {
    works: text,
    'left-out': text,
    part: { ...text, default: 'fitting' },
    most: { ...text, default: '40' },
    only: text,
    search: { type: 'boolean' },
    json: text,
    values: text,
    before: text,
    encoders: { ...text, default: 'builtin/static-en,builtin/minilm-anime' },
    kinds: text,
  },
})
const tried = JSON.parse(readFileSync(join(import.meta.dirname, 'constants.json'), 'utf8'))
const only = options.only?.split(',')
const chosen = Object.entries(tried).filter(
  ([id]) => only?.some((name) => id.startsWith(name)) ?? true,
)
/** Constants that were read since the set was emptied. */
const reads = new Set()
/** By identifier. */
const cells = new Map(
  Object.entries(constants()).flatMap(([group, members]) =>
    Object.keys(members).map((name) => [`${group}.${name}`, watch(members, name, group)]),
  ),
)
const evaluation = await openEvaluation({
  works: options.works,
  leftOut: options['left-out'],
  part: options.part,
  most: Number(options.most),
  only: options.kinds?.split(';'),
  encoders: options.encoders.split(','),
})
const { queries } = evaluation
const began = performance.now()
/** For each query the constants that its answer depends on. */
const readBy = []
reads.clear()
const noteReads = (at) => {
  readBy[at] = new Set(reads)
  reads.clear()
}
const base = await evaluation.evaluate(() => true, [], chosen.length > 0 ? noteReads : undefined)
console.error(`${queries.length} queries, ${((performance.now() - began) / 1000).toFixed(1)} s`)
for (const [kind, value] of byKind(base)) {
  const { count, weight } = evaluation.kinds.find((one) => one.kind === kind)
  console.error(`${kind}: ${count} x${weight}, ${value.toFixed(3)}`)
}
const keys = numbered(
  queries.map(({ kind, dataset, query, liked }) => JSON.stringify([kind, dataset, query, liked])),
)
if (options.values)
  writeFileSync(options.values, JSON.stringify(keys.map((key, at) => [key, base[at]])))
if (options.before) compare(new Map(JSON.parse(readFileSync(options.before, 'utf8'))))

const results = []
console.log(
  '| constant | value | tried | gain | interval | changed | kinds |\n|---|---|---|---|---|---|---|',
)
for (const [id, { neutral, range, reopen = false }] of chosen) {
  const cell = cells.get(id)
  const others = options.search
    ? [0.5, 0.8, 1.25, 2].map((factor) => cell.value * factor)
    : [neutral]
  const inRange = others.map((other) =>
    options.search ? Math.min(range[1], Math.max(range[0], other)) : other,
  )
  for (const other of new Set(inRange))
    if (other !== cell.value) await measure(id, cell, other, reopen)
}
await evaluation.close()

/** A member of the constants whose reads are known. */
function watch(members, name, group) {
  const cell = { value: members[name] }
  const get = () => {
    reads.add(`${group}.${name}`)
    return cell.value
  }
  Object.defineProperty(members, name, { get, enumerable: true })
  return cell
}

async function measure(id, cell, value, reopen) {
  const isQueried = ({ kind }, at) => (reopen ? kind !== 'recommend' : readBy[at].has(id))
  const former = cell.value
  const change = async (to) => {
    cell.value = to
    if (reopen) await evaluation.reopen()
  }
  await change(value)
  const values = await evaluation.evaluate(isQueried, base)
  await change(former)
  const queried = queries.filter(isQueried).length
  const result = { id, former, value, queried, ...difference(values, base) }
  results.push(result)
  if (options.json) writeFileSync(options.json, JSON.stringify(results, undefined, 1))
  console.log(`| ${id} | ${former} | ${value} | ${describe(result)} |`)
}

/** Some queries have several lines. */
function numbered(all) {
  const counts = new Map()
  return all.map((key) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return `${key} ${counts.get(key)}`
  })
}

/** What all changes since a build brought whose values `--values` wrote. */
function compare(before) {
  const missing = keys.filter((key) => !before.has(key)).length
  if (missing > 0) throw new Error(`${options.before}: ${missing} of these queries are missing`)
  const former = keys.map((key) => before.get(key))
  const result = { ...difference(base, former), queried: queries.length }
  console.log(`since ${options.before}: ${describe(result)}`)
  keys.forEach((key, at) => {
    if (base[at] !== former[at]) console.error(`${former[at]} -> ${base[at]} ${key}`)
  })
}

function describe({ gain, low, high, changed, queried, kinds }) {
  const each = kinds.map(([kind, own]) => `${kind} ${signed(own)}`).join(', ')
  return `${signed(gain)} | ${signed(low)} to ${signed(high)} | ${changed} of ${queried} | ${each}`
}

/** The weighted mean of the differences, query by query, with its interval of 95 %: the normal one of a stratified mean. */
function difference(values, former) {
  const gains = values.map((value, at) => value - former[at])
  const kinds = byKind(gains)
  const [gain, variance] = gains.reduce(
    ([sum, spread], one, at) => [
      sum + queries[at].weight * one,
      spread + queries[at].weight ** 2 * (one - kinds.get(queries[at].kind)) ** 2,
    ],
    [0, 0],
  )
  const half = 1.96 * Math.sqrt(variance)
  return {
    gain,
    low: gain - half,
    high: gain + half,
    changed: gains.filter((one) => one !== 0).length,
    kinds: [...kinds].filter(([, one]) => Math.abs(one) >= 0.0005),
  }
}

function byKind(values) {
  const sums = new Map()
  values.forEach((value, at) => {
    const { kind } = queries[at]
    const [sum, count] = sums.get(kind) ?? [0, 0]
    sums.set(kind, [sum + value, count + 1])
  })
  return new Map([...sums].map(([kind, [sum, count]]) => [kind, sum / count]))
}

function signed(value) {
  return `${value < 0 ? '' : '+'}${value.toFixed(4)}`
}
