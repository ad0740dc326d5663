/** The queries that constants are measured with, each with its weight in the mix, and what each answer is worth. */
import { existsSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openSearch } from '../../dist/search/composition/open-search.js'
import { brokenShare, measureOf, valueOf } from '../../dist/search/eval/kinds.js'
import { readQueries } from '../../dist/search/eval/queries.js'
import { run, searchSettings } from '../fit-ranker/prepare-works.js'
import { partOf as partOfQuery, posts } from '../reader/corpus.js'
import { holds } from '../reader/holds.js'
import { sentencesOf } from '../reader/made-posts.js'
import { partOf } from '../works/split.js'

const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const data = (name) => join(import.meta.dirname, '../../data/works', `${name}.jsonl`)
const worksOf = Object.fromEntries(['anime', 'manga'].map((name) => [name, linesOf(data(name))]))

/** The processor waits less where several searches are under way. */
const inFlight = 4

/** How much a kind counts in the mean; every other kind counts 1. */
const weightOf = {
  'left out': 3,
  'scene, from memory': 2,
  'post, title': 2,
  'post, whole': 2,
  recommend: 2,
}

/**
 * @param {{ works: string, leftOut: string, part: string, most: number, encoders: [string, string] }} options folders that
 *   were built; at most so many queries of a kind and dataset
 */
export async function openEvaluation({ works, leftOut, part, most, encoders, only }) {
  const settingsOf = async (work, searchEncoder) => ({
    ...(await searchSettings({
      work,
      dataDir: join(work, 'data'),
      embeddingsDir: join(work, 'embeddings'),
      modelsDir: 'models',
    })),
    searchEncoder,
    queryCache: 4096,
  })
  const settings = [await settingsOf(works, encoders[0]), await settingsOf(leftOut, encoders[1])]
  let searches = await openBoth()
  const [main] = searches
  const queries = [
    ...(await ofKinds(main)),
    ...partsOfTitles().map((line) => withRows(main, line)),
    ...questions().map((line) => withRows(main, line)),
    ...ofPosts(main),
    ...maskedTexts().map((line) => ({ ...withRows(searches[1], line), at: 1 })),
    ...found(),
    ...liked(main),
  ].filter(
    ({ rows, kind }) => (rows === undefined || rows.size > 0) && (only?.includes(kind) ?? true),
  )
  const kinds = new Map()
  for (const query of queries) kinds.set(query.kind, [...(kinds.get(query.kind) ?? []), query])
  const total = [...kinds.keys()].reduce((sum, kind) => sum + (weightOf[kind] ?? 1), 0)
  for (const [kind, own] of kinds) {
    const measure = own[0].measure ?? (own[0].line ? 'holds' : measureOf(kind, own))
    for (const query of own) {
      query.measure ??= measure
      query.weight = (weightOf[kind] ?? 1) / total / own.length
    }
  }

  return {
    queries,
    kinds: [...kinds].map(([kind, { length }]) => ({
      kind,
      count: length,
      weight: weightOf[kind] ?? 1,
    })),
    searchOf: ({ at = 0 }) => searches[at],
    /** The worth of the answer to each query; of those that are not sent again, the one that is known. */
    async evaluate(isQueried = () => true, known = [], onDone = undefined) {
      const values = [...known]
      const left = [...queries.keys()].filter((at) => isQueried(queries[at], at)).values()
      const take = async () => {
        for (const at of left) {
          values[at] = await worth(queries[at])
          onDone?.(at)
        }
      }
      // What a query reads is known only while no other is under way.
      await Promise.all(Array.from({ length: onDone ? 1 : inFlight }, take))
      return values
    },
    async reopen() {
      await Promise.all(searches.map((one) => one.close()))
      searches = await openBoth()
    },
    close: () => Promise.all(searches.map((one) => one.close())),
  }

  function openBoth() {
    return Promise.all(settings.map((one) => openSearch(one)))
  }

  async function worth(query) {
    const search = searches[query.at ?? 0]
    const rows = await answer(search, query)
    if (query.line) {
      const titles = rows.map((row) => search.catalogue.entry(query.dataset, row).title)
      return holds(query.line, titles) ? 1 : 0
    }
    if (query.measure === 'broken') return 1 - brokenShare(query, rows)
    return valueOf(query.measure, query, rows)
  }

  async function answer({ catalogue, ranked, recommend }, { dataset, query, liked, disliked }) {
    const request = {
      dataset,
      query,
      interpret: true,
      numResults: 10,
      batchSize: 32,
      candidates: 100,
      includeLightNovels: true,
      filter: { adult: false },
    }
    const { results } = await (liked
      ? recommend({ ...request, liked, disliked, seen: [] })
      : ranked.ranked(request))
    return results.map(({ id }) => catalogue.rowOfId(dataset, id) ?? -1)
  }

  async function ofKinds({ catalogue }) {
    const file = join(works, `${part}-constants.jsonl`)
    if (!existsSync(file)) run('tools/fit-ranker/queries.js', '--part', part, '--output', file)
    const { queries: all } = await readQueries(file, catalogue, undefined)
    const own = all.filter(({ column }) => column === undefined)
    const sampled = sample(own, ({ kind, dataset }) => `${kind} ${dataset}`)
    const broken = sampled.flatMap((query) =>
      query.breaks.size > 0 ? [{ ...query, kind: 'not, what is excluded', measure: 'broken' }] : [],
    )
    return [...sampled, ...broken]
  }

  function withRows({ catalogue }, { ids, ...line }) {
    const rows = new Set(ids.flatMap((id) => catalogue.rowOfId(line.dataset, id) ?? []))
    return { ...line, rows, breaks: new Set() }
  }

  function sample(all, groupOf, limit = most) {
    const taken = new Map()
    return all
      .map((one) => ({ one, hash: hashOf(one.query) }))
      .sort((one, other) => one.hash - other.hash)
      .flatMap(({ one }) => {
        const count = taken.get(groupOf(one)) ?? 0
        taken.set(groupOf(one), count + 1)
        return count < limit ? [one] : []
      })
  }

  /** What people type of long titles: all before a subtitle, a name with a year, and a season by its number. */
  function partsOfTitles() {
    const lines = ['anime', 'manga'].flatMap((dataset) => {
      const all = worksOf[dataset]
      // No encoder saw titles, so those of the training part fit, too.
      const isOwn = ({ franchise }) =>
        (partOf(franchise) === 'reporting') === (part === 'reporting')
      const own = all.filter(isOwn)
      const titlesOf = ({ titles: { romaji, english } }) => [romaji, english].filter(Boolean)
      const headOf = (title) => /^([^:]+ [^:]+): /.exec(title)?.[1]
      const sameOf = (work) =>
        all.filter(({ franchise, place }) => franchise === work.franchise && place === 'main')
      return own.flatMap((work) => {
        const shared = { dataset, measure: 'first' }
        const main = work.place === 'main'
        const heads = main ? titlesOf(work).flatMap((title) => headOf(title) ?? []) : []
        const named = all.filter((other) =>
          titlesOf(other).some((title) => titlesOf(work).includes(title)),
        )
        const [number] = titlesOf(work).flatMap((title) =>
          (/(\d)(?:nd|rd|th) Season$/i.exec(title) ?? /Season (\d)$/i.exec(title) ?? []).slice(1),
        )
        const [first] = sameOf(work)
        return [
          ...heads.map((query) => ({
            ...shared,
            kind: 'head of a title',
            query: query.toLowerCase(),
            ids: sameOf(work).map(({ mal }) => mal),
          })),
          ...(named.length > 1 && work.year
            ? [
                {
                  ...shared,
                  kind: 'title and year',
                  query: `${titlesOf(work)[0]} ${work.year}`,
                  ids: [work.mal],
                },
              ]
            : []),
          ...(number && first && first.mal !== work.mal
            ? [
                {
                  ...shared,
                  kind: 'season',
                  query: `${titlesOf(first).at(-1)} season ${number}`,
                  ids: [work.mal],
                },
              ]
            : []),
        ]
      })
    })
    return sample(lines, ({ kind, dataset }) => `${kind} ${dataset}`)
  }

  /** Questions about a work, as in tools/reader/report.js: alone and in a post. */
  function questions() {
    const wordings = sentencesOf('subject').filter((line) => line.split('{subject}').length === 2)
    const remarks = sentencesOf('nothing')
    return ['anime', 'manga'].flatMap((dataset) =>
      worksOf[dataset]
        .filter(({ franchise, place }) => place === 'main' && partOf(franchise) === part)
        .toSorted((one, other) => one.rank - other.rank)
        .slice(0, most)
        .flatMap(({ titles, mal }, at) => {
          const name = titles.english ?? titles.romaji
          const question = wordings[at % wordings.length].replace('{subject}', name)
          const query = `${question} ${remarks[at % remarks.length]} ${remarks[(at * 7 + 3) % remarks.length]}`
          const shared = { dataset, ids: [mal], measure: 'mrr' }
          return [
            { ...shared, kind: 'question', query: question },
            { ...shared, kind: 'question in a post', query },
          ]
        }),
    )
  }

  /** Posts that look for a work or ask about one: the work, or one of its series, is right. */
  function ofPosts(search) {
    const { catalogue } = search
    const ids = franchiseIds()
    return posts()
      .filter((post) => post.part === (part === 'fitting' ? 'fit' : 'report'))
      .flatMap(({ dataset, query, spans, answer, form, kind }) => {
        const subjects = spans
          .filter(({ role }) => role === 'subject-work')
          .map(({ means }) => means)
        const named = [...subjects, ...(kind === 'identify' && answer ? [answer].flat() : [])]
        const own = named.flatMap((title) => ids(dataset, title))
        if (own.length === 0) return []
        const name = form === 'title' ? 'post, title' : 'post, whole'
        const rows = new Set(own.flatMap((id) => catalogue.rowOfId(dataset, id) ?? []))
        return [{ kind: name, dataset, query, rows, breaks: new Set(), measure: 'mrr' }]
      })
  }

  /** The texts that leave-one-out.js masked: four kinds, by the franchise. */
  function maskedTexts() {
    const all = ['anime', 'manga'].flatMap((dataset) => {
      const stored = new Map(
        linesOf(join(leftOut, `${dataset}.jsonl`)).map((work) => [work.mal, work]),
      )
      const idsOf =
        Map.groupBy?.(worksOf[dataset], ({ franchise }) => franchise) ?? byFranchise(dataset)
      return worksOf[dataset]
        .filter(({ franchise }) => partOf(franchise) === part)
        .flatMap(({ mal, descriptions, scenes = [], spoilers = [], franchise }) => {
          const masked = stored.get(mal)
          if (masked === undefined) return []
          const kept = new Set([
            ...masked.descriptions,
            ...(masked.scenes ?? []),
            ...(masked.spoilers ?? []),
          ])
          const query = [...descriptions, ...scenes, ...spoilers].find((text) => !kept.has(text))
          const ids = idsOf.get(franchise).map(({ mal: id }) => id)
          return query ? [{ kind: 'left out', dataset, query, ids, measure: 'mrr' }] : []
        })
    })
    return sample(all, ({ dataset }) => dataset, 3 * most)
  }

  /** Queries with works that must or must not be found. */
  function found() {
    const file = join(import.meta.dirname, '../reader/corpus/found.jsonl')
    return linesOf(file)
      .filter(({ query }) => partOfQuery(query) === (part === 'fitting' ? 'fit' : 'report'))
      .map((line) => ({ kind: 'found', dataset: line.dataset, query: line.query, line }))
  }

  /** Works that one post likes, each left out once, as in tools/recommend/leave-one-out.js: by MRR@10. */
  function liked({ catalogue }) {
    const ids = franchiseIds()
    return posts()
      .filter(
        ({ form, part: own }) => form === 'both' && own === (part === 'fitting' ? 'fit' : 'report'),
      )
      .flatMap(({ dataset, spans }) => {
        const names = spans.filter(({ role }) => role === 'like' || role === 'liked')
        const works = [...new Set(names.flatMap(({ means }) => ids(dataset, means).slice(0, 1)))]
        if (works.length < 3) return []
        const disliked = spans
          .filter(({ role }) => role === 'disliked')
          .flatMap(({ means }) => ids(dataset, means).slice(0, 1))
          .filter((id) => !works.includes(id))
          .map((id) => ({ id, weight: 1 }))
        return works.map((hidden) => {
          const own = new Set(
            sameFranchise(dataset, hidden).flatMap((id) => catalogue.rowOfId(dataset, id) ?? []),
          )
          const others = works.filter((id) => id !== hidden).map((id) => ({ id, weight: 1 }))
          const shared = { rows: own, breaks: new Set(), measure: 'mrr', query: '' }
          return { kind: 'recommend', dataset, liked: others, disliked, ...shared }
        })
      })
  }

  function byFranchise(dataset) {
    const groups = new Map()
    for (const work of worksOf[dataset])
      groups.set(work.franchise, [...(groups.get(work.franchise) ?? []), work])
    return groups
  }

  function sameFranchise(dataset, id) {
    const { franchise } = worksOf[dataset].find(({ mal }) => mal === id)
    return worksOf[dataset].filter((work) => work.franchise === franchise).map(({ mal }) => mal)
  }

  /** Ids of the works of the franchise that has a title; the work itself first. */
  function franchiseIds() {
    const named = Object.fromEntries(
      Object.entries(worksOf).map(([dataset, all]) => [
        dataset,
        new Map(
          all
            .toSorted((one, other) => other.rank - one.rank)
            .flatMap(({ titles: { romaji, english, other = [] }, mal }) =>
              [romaji, english, ...other]
                .filter(Boolean)
                .map((title) => [title.toLowerCase(), mal]),
            ),
        ),
      ]),
    )
    return (dataset, title) => {
      const id = named[dataset]?.get(String(title.title ?? title).toLowerCase())
      return id === undefined ? [] : [id, ...sameFranchise(dataset, id).filter((one) => one !== id)]
    }
  }
}

function hashOf(text) {
  return createHash('sha256').update(text).digest().readUInt32BE(0)
}
