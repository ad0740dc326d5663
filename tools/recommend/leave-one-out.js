/**
 * Measures POST /recommend of a running server, leave-one-out: of works that one person says they like, each is left
 * out once, and the others should recommend it, or another work of its franchise.
 *
 *   node tools/recommend/leave-one-out.js http://localhost:8000 tools/reader/corpus/posts.jsonl fit
 *
 * A line of the file is `{"dataset": "anime", "title": …, "text": …, "spans": [{"role": "like", "means": "Mushishi"}, …]}`.
 * The last word is a part of the reader's corpus, `fit` or `report`; without it all lines count.
 */
import { readFileSync } from 'node:fs'
import { partOf } from '../reader/corpus.js'

const [origin = 'http://localhost:8000', file = '', part] = process.argv.slice(2)
const depth = 100
const minWorks = 3

const json = async (path, body) => {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(origin + path, init)
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** The work with exactly that title. */
async function workOf(dataset, title) {
  const prefix = encodeURIComponent(title.slice(0, 200))
  const { titles } = await json(`/titles/${dataset}?prefix=${prefix}&limit=1`)
  const [best] = titles
  const isSame = (other) => other.toLowerCase() === title.toLowerCase()
  return best && (isSame(best.matched) || isSame(best.title)) ? best.id : undefined
}

const lists = []
for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
  const { dataset, title, text, spans } = JSON.parse(line)
  if (part !== undefined && partOf(`${title} ${text}`) !== part) continue
  const liked = spans.filter(({ role }) => role === 'like' || role === 'liked')
  const ids = await Promise.all(liked.map(({ means }) => workOf(dataset, means)))
  const works = [...new Set(ids.filter((id) => id !== undefined))]
  if (works.length >= minWorks) lists.push({ dataset, works })
}

/** Works of each dataset, the best known first: what a server would say without knowing anybody. */
const popular = {}
for (const dataset of new Set(lists.map((list) => list.dataset))) {
  const { results } = await json(`/search/${dataset}`, {
    query: 'popular',
    sort: 'popularity',
    num_results: depth,
    page: 1,
    group: 'franchise',
    fields: ['franchise'],
  })
  popular[dataset] = results
}

const ranks = { recommend: [], popular: [] }
for (const { dataset, works } of lists) {
  for (const hidden of works) {
    const { franchise } = await json(`/entries/${dataset}/${hidden}`)
    const others = works.filter((id) => id !== hidden)
    const { results } = await json(`/recommend/${dataset}`, {
      liked: others.map((id) => ({ id })),
      num_results: depth,
      group: 'franchise',
      fields: ['franchise'],
    })
    const isHit = (result) =>
      result.id === hidden || (franchise !== null && result.franchise === franchise)
    const rankIn = (all) => all.findIndex(isHit) + 1
    ranks.recommend.push(rankIn(results))
    ranks.popular.push(rankIn(popular[dataset].filter(({ id }) => !others.includes(id))))
  }
}

console.log(`${lists.length} lists, ${ranks.recommend.length} works left out`)
for (const [name, all] of Object.entries(ranks)) {
  const share = (most) => all.filter((rank) => rank > 0 && rank <= most).length / all.length
  const mrr = all.reduce((sum, rank) => sum + (rank > 0 ? 1 / rank : 0), 0) / all.length
  const figures = [10, 20, 100].map((most) => `first ${most} ${share(most).toFixed(3)}`)
  console.log(`${name}: ${figures.join(', ')}, MRR@${depth} ${mrr.toFixed(3)}`)
}
