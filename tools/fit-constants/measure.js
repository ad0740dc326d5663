/**
 * Measures what each constant of constants.json brings to /search and POST /recommend:
 *   node tools/fit-constants/measure.js --works FOLDER --left-out FOLDER --copy FOLDER [--part fitting] [--only ID,ID]
 *     [--search] [--most 40] [--json FILE]
 * See README.md. Nothing of the product is changed: the values are varied in memory.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyVaried } from './vary.js'

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
    encoders: { ...text, default: 'builtin/static-en,builtin/minilm-anime' },
    copy: text,
    kinds: text,
  },
})
const constants = JSON.parse(readFileSync(join(import.meta.dirname, 'constants.json'), 'utf8'))
const variables = new Map()
/** Constants that were read since the set was emptied. */
const reads = new Set()
globalThis.declareVaried = (id, value, set) => variables.set(id, { value, set })
globalThis.readVaried = (id) => {
  reads.add(id)
  return variables.get(id).value
}
copyVaried(options.copy, constants)
process.chdir(options.copy)
const { openEvaluation } = await import(join(options.copy, 'tools/fit-constants/queries.js'))
const evaluation = await openEvaluation({
  works: options.works,
  leftOut: options['left-out'],
  part: options.part,
  most: Number(options.most),
  only: options.kinds?.split(';'),
  encoders: options.encoders.split(','),
})
const { queries } = evaluation
console.error(
  evaluation.kinds.map(({ kind, count, weight }) => `${kind}: ${count} x${weight}`).join('\n'),
)
const began = performance.now()
/** For each query the constants that its answer depends on. */
const readBy = []
const base = await evaluation.evaluate(
  () => {
    reads.clear()
    return true
  },
  [],
  () => readBy.push(new Set(reads)),
)
console.error(`${queries.length} queries, ${((performance.now() - began) / 1000).toFixed(1)} s`)
for (const [kind, value] of byKind(base)) console.error(`${kind}: ${value.toFixed(3)}`)
const only = options.only?.split(',')
const results = []
console.log(
  '| constant | value | tried | gain | interval | changed | kinds |\n|---|---|---|---|---|---|---|',
)
for (const constant of constants) {
  const { id, neutral } = constant
  if (only && !only.some((name) => id === name || constant.file.includes(name))) continue
  const { value } = variables.get(id)
  await tried(constant, neutral, 'neutral').catch((error) => console.error(`${id}: ${error}`))
  if (options.search)
    for (const factor of [0.5, 0.8, 1.25, 2]) {
      const other = Math.min(constant.range[1], Math.max(constant.range[0], value * factor))
      if (other !== value && other !== neutral) await tried(constant, other, `x ${factor}`)
    }
}
if (options.json) writeFileSync(options.json, JSON.stringify(results, undefined, 1))
await evaluation.close()

async function tried({ id, file, reopen }, value, how) {
  const isEverywhere = reopen || variables.get(id).set !== undefined
  const isQueried = ({ kind }, at) => (isEverywhere ? kind !== 'recommend' : readBy[at].has(id))
  const variable = variables.get(id)
  const former = variable.value
  await change(variable, value, reopen)
  const values = await evaluation.evaluate(isQueried, base)
  await change(variable, former, reopen)
  const queried = queries.filter(isQueried).length
  const result = { id, file, former, value, how, queried, ...difference(values) }
  results.push(result)
  const kinds = result.kinds.map(([kind, gain]) => `${kind} ${signed(gain)}`).join(', ')
  console.log(
    `| ${id} | ${former} | ${value} (${how}) | ${signed(result.gain)} | ${signed(result.low)} to ${signed(result.high)} | ${result.changed} of ${queried} | ${kinds} |`,
  )
}

async function change(variable, value, reopen) {
  variable.value = value
  variable.set?.(value)
  if (reopen) await evaluation.reopen()
}

/** The weighted mean of the differences, query by query, with its interval of 95 %: the normal one of a stratified mean. */
function difference(values) {
  const gains = values.map((value, at) => value - base[at])
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
