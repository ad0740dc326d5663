/**
 * Synopses to vectors: all-MiniLM-L6-v2 in float32 and quantised, compared with sentence-transformers on PyTorch
 * and on its ONNX backend, in turns within one run.
 */
import { createReadStream, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse'
import type { Encoder } from '#synoptic/models/encoders/encoder.js'
import { openEncoder } from '#synoptic/models/encoders/open-encoder.js'
import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
import { quantizeModel } from '#synoptic/models/tools/quantize.js'
import { type Cost, compete, costOf } from './cost.js'
import { type Baseline, startBaseline } from './encode-baseline.js'
import { describeTarget } from './target.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const models = process.env.SYNOPTIC_TEST_MODELS ?? join(root, '../shared/models')
const data = process.env.SYNOPTIC_TEST_DATA ?? join(root, '../shared/data')
const name = 'encoders/all-MiniLM-L6-v2'
const rounds = Number(process.env.SYNOPTIC_BENCH_ROUNDS ?? 3)
const textCount = Number(process.env.SYNOPTIC_BENCH_TEXTS ?? 300)

/** @param folder for files that this makes */
export async function timeSynopses(print: (line: string) => void, folder: string): Promise<void> {
  const [source, file] = [join(models, 'all-MiniLM-L6-v2'), join(data, 'Anime_data.csv')]
  if (!existsSync(source) || !existsSync(file)) {
    print(`all-MiniLM-L6-v2: skipped, expected ${source} and ${file}`)
    return
  }
  const texts = await readSynopses(file, textCount)
  const places = ['float32', 'int8'].map((type) => join(folder, type))
  for (const place of places) {
    mkdirSync(join(place, 'encoders'), { recursive: true })
    symlinkSync(source, join(place, name))
  }
  const [floats = '', bytes = ''] = places
  const isQuantised = await quantize(print, bytes)
  const encoders = await Promise.all(
    (isQuantised ? places : [floats]).map((modelsDir) =>
      openEncoder(requireInstalled(name, { modelsDir }), { isBulk: true }),
    ),
  )
  const baselines = await startBaselines(print, source)
  try {
    const [first, second] = encoders
    if (first === undefined) return
    const entrants = new Map<string, () => Promise<Cost>>()
    const reference = await enter(entrants, 'float32', first, texts)
    for (const [backend, baseline] of baselines) {
      entrants.set(backend, async () => {
        const answer = await baseline.encode(texts)
        requireAlike(backend, answer.vector, reference, 0.9999)
        return answer
      })
    }
    if (second) {
      requireAlike('int8', await enter(entrants, 'int8', second, texts), reference, 0.98)
    }
    print(`all-MiniLM-L6-v2: ${texts.length} synopses, ${rounds} rounds in turns, medians`)
    const costs = await compete(entrants, rounds)
    for (const [entrant, cost] of costs) print(`  ${describe(entrant, cost)}`)
    for (const line of describeTargets(costs)) print(line)
  } finally {
    for (const baseline of baselines.values()) baseline.stop()
    await Promise.all(encoders.map((encoder) => encoder.close()))
  }
}

/** Answers the first text's vector, after the work with which the sizes of batches are tried. */
async function enter(
  entrants: Map<string, () => Promise<Cost>>,
  type: string,
  encoder: Encoder,
  texts: readonly string[],
): Promise<Float32Array> {
  const encode = () => encoder.encode(texts, { priority: 'bulk' })
  entrants.set(type, () => costOf(encode))
  for (let pass = 0; pass < 2; pass++) await encode()
  return (await encode()).vectors.subarray(0, encoder.dimension)
}

async function quantize(print: (line: string) => void, modelsDir: string): Promise<boolean> {
  const { SYNOPTIC_BENCH_PYTHON: python } = process.env
  if (python !== undefined) process.env.SYNOPTIC_PYTHON ??= python
  try {
    const onLine = () => undefined
    await quantizeModel({ name, modelsDir, leastCosine: 0.98, dryRun: false, onLine })
    return true
  } catch (error) {
    print(`  not quantised: ${error instanceof Error ? error.message : String(error)}`)
    return false
  }
}

async function startBaselines(
  print: (line: string) => void,
  source: string,
): Promise<Map<string, Baseline>> {
  const {
    SYNOPTIC_BENCH_PYTHON: python,
    SYNOPTIC_BENCH_TORCH_MODEL: weights,
    SYNOPTIC_BENCH_ONNX_PYTHON: onnxPython = python,
  } = process.env
  const started = new Map<string, Baseline>()
  const wanted = [
    [
      'torch',
      python,
      weights,
      'SYNOPTIC_BENCH_PYTHON (sentence-transformers) and SYNOPTIC_BENCH_TORCH_MODEL (its all-MiniLM-L6-v2)',
    ],
    [
      'onnx',
      onnxPython,
      source,
      'SYNOPTIC_BENCH_ONNX_PYTHON (sentence-transformers, optimum-onnx[onnxruntime])',
    ],
  ] as const
  for (const [backend, program, model, variables] of wanted) {
    if (program === undefined || model === undefined) {
      print(`  no baseline ${backend}: set ${variables}`)
      continue
    }
    try {
      const threads = availableParallelism()
      const baseline = await startBaseline({ python: program, model, backend, threads, root })
      print(`  baseline ${backend}: ${baseline.describes}`)
      started.set(backend, baseline)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      print(`  no baseline ${backend}: ${variables}: ${reason}`)
    }
  }
  return started
}

function requireAlike(
  entrant: string,
  found: ArrayLike<number>,
  expected: Float32Array,
  least: number,
): void {
  const cosine = expected.reduce((sum, value, i) => sum + value * (found[i] ?? NaN), 0)
  if (!(cosine > least))
    throw new Error(`${entrant}: expected a cosine above ${least}, got ${cosine}`)
}

const describe = (entrant: string, { ms, processorMs }: Cost) =>
  `${entrant.padEnd(8)} ${((1000 * textCount) / ms).toFixed(1)} texts a second, ` +
  `${(processorMs / textCount).toFixed(1)} ms of processor each`

function describeTargets(costs: ReadonlyMap<string, Cost>): string[] {
  const targets = [
    ['float32', 'torch', 'PyTorch', 1.5],
    ['float32', 'onnx', 'its ONNX backend', 1],
    ['int8', 'torch', 'PyTorch', 2.7],
  ] as const
  return targets.flatMap(([ours, theirs, backend, least]) => {
    const costOf = (entrant: string, key: keyof Cost) => costs.get(entrant)?.[key] ?? NaN
    const ratio = (key: keyof Cost) => costOf(theirs, key) / costOf(ours, key)
    const what = `${ours} / sentence-transformers, ${backend}`
    return [
      describeTarget(what, ratio('ms'), 'at least', least),
      describeTarget('  of processor time', ratio('processorMs'), 'at least', least),
    ]
  })
}

async function readSynopses(file: string, count: number): Promise<string[]> {
  const texts: string[] = []
  const records = createReadStream(file).pipe(parse({ columns: true, relax_column_count: true }))
  for await (const record of records as AsyncIterable<{ Description?: string }>) {
    const text = record.Description?.trim() ?? ''
    if (text.length > 100) texts.push(text)
    if (texts.length === count) break
  }
  return texts
}
