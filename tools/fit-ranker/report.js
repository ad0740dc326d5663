/**
 * The tables of bench/results/quality/kinds.md, in one command: what /search reaches on the reporting part, and
 * what each part of its score brings.
 *   node tools/fit-ranker/report.js [--part reporting] [--work <folder>] [--before <built checkout>]
 *     [--model <encoder> --models-dir <folder>]
 * Imports the included works and embeds them, also for the encoder that /search then chooses, unless the folder has them already. `--before` queries another version,
 * too, and `--model` compares with its vectors fused with bm25.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openSearch } from '../../dist/search/composition/open-search.js'
import { compare, meanOf } from '../../dist/search/eval/figures.js'
import { gather, worthOf } from '../../dist/search/eval/fit-weights.js'
import { kindSystems } from '../../dist/search/eval/kind-systems.js'
import { measureNames } from '../../dist/search/eval/kinds.js'
import { groupByColumn, measureKinds } from '../../dist/search/eval/measure-kinds.js'
import { readQueries } from '../../dist/search/eval/queries.js'
import { prepareWorks, run, searchSettings } from './prepare-works.js'

const text = { type: 'string' }
const { values: options } = parseArgs({
  options: {
    part: { ...text, default: 'reporting' },
    work: text,
    before: text,
    model: text,
    'models-dir': { ...text, default: 'models' },
  },
})
const models = options.model ? [options.model] : []
const places = prepareWorks({
  ...options,
  encoders: ['builtin/static-en', 'builtin/minilm-anime', ...models],
})
const settings = await searchSettings(places)
const queriesFile = join(places.work, `${options.part}.jsonl`)
run('tools/fit-ranker/queries.js', '--part', options.part, '--output', queriesFile)
const { queries, weights: whole } = await readAll()
console.log(await kinds())
console.log(await ablation())

async function readAll() {
  const search = await openSearch(settings)
  const { queries } = await readQueries(queriesFile, search.catalogue, undefined)
  const { fit } = search.weights
  await search.close()
  return { queries, weights: fit }
}

async function kinds() {
  const measured = await measureKinds(queries, withSystems, () => undefined)
  const names = measured[0].systems.map(({ name }) => name)
  const heads = names.flatMap((name, i) => (i === 0 ? [name] : [name, 'gain']))
  const rows = measured.map(({ kind, queries: count, measure, systems }) => [
    kind,
    `${count}`,
    measure === 'broken' ? 'broken@5' : measureNames[measure],
    ...systems.flatMap(({ value, behind }) =>
      behind === undefined
        ? [`**${value.value.toFixed(3)}** (${value.low.toFixed(3)} to ${value.high.toFixed(3)})`]
        : [value.value.toFixed(3), difference(behind)],
    ),
  ])
  return markdown([['kind', 'queries', 'measure', ...heads], ...rows])
}

/** This version first, then the one before, then what both are compared with. */
async function withSystems(without, task) {
  const search = await openSearch(settings, { without })
  const [ours, ...others] = kindSystems(search, { models })
  const former = options.before === undefined ? undefined : await openFormer(without)
  await task([ours, ...(former ? [former.system] : []), ...others])
  await former?.search.close()
  await search.close()
}

async function openFormer(without) {
  const dist = resolve(options.before, 'dist')
  const [{ openSearch: open }, { kindSystems: systemsOf }] = await Promise.all([
    import(join(dist, 'search/composition/open-search.js')),
    import(join(dist, 'search/eval/kind-systems.js')),
  ])
  const search = await open(await searchSettings(places, dist), { without })
  const [{ answer }] = systemsOf(search, { models: [] })
  return { search, system: { name: 'the version before', answer } }
}

async function ablation() {
  const gathered = []
  for (const { without, queries: group } of groupByColumn(queries)) {
    const part = await openSearch(settings, { without })
    gathered.push(...(await gather(group, part, () => undefined)))
    await part.close()
  }
  const parts = {
    titles: { title: 0 },
    facts: { fulfilled: 0, fulfilledBeside: 0 },
    likeness: { similar: 0 },
    exclusions: { broken: 0 },
    'main before sequels': { notMain: 0 },
    'the first work of a series': { firstBySequel: 0, sequel: 0 },
    'popularity with facts': { popularity: 0 },
    'the text with facts': { minTextShare: 0 },
    'facts before the text': { minTextShare: 1 },
  }
  const named = [...new Set(gathered.map(({ query }) => query.kind))]
  const rows = named.map((kind) => {
    const own = gathered.filter(({ query }) => query.kind === kind)
    const worths = (weights) => own.map((one) => worthOf(one, weights))
    const full = worths(whole)
    const gains = Object.values(parts).map((left) =>
      gain(compare(full, worths({ ...whole, ...left }))),
    )
    return [kind, meanOf(full).value.toFixed(3), ...gains]
  })
  return markdown([['kind', 'whole', ...Object.keys(parts)], ...rows])
}

/** What a part brings; a dot where its interval holds 0. */
function gain({ value, low, high }) {
  return low <= 0 && high >= 0 ? '.' : `${value < 0 ? '' : '+'}${value.toFixed(3)}`
}

function difference({ value, low, high }) {
  const [shown, ...ends] = [value, low, high].map((one) => `${one < 0 ? '' : '+'}${one.toFixed(3)}`)
  return low === 0 && high === 0 ? '0.000' : `${shown} (${ends.join(' to ')})`
}

function markdown([heads, ...rows]) {
  return [heads, heads.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
