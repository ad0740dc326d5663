/**
 * A catalogue as large as the largest public ones: the included works, and others made of their words.
 * Sentences, tags and names come from works picked at random, so words are as common as they are.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { seeded, wordOf } from './invented-texts.js'

interface Work {
  readonly titles: {
    readonly romaji: string
    readonly english?: string
    readonly other?: readonly string[]
  }
  readonly tags: Readonly<Record<string, number>>
  readonly genres: readonly string[]
  readonly characters?: readonly string[]
  readonly synopsis: string
  readonly descriptions: readonly string[]
}

const works = fileURLToPath(new URL('../../data/works', import.meta.url))
/** Beyond every id of MyAnimeList. */
const firstId = 10_000_000
const otherTitles = 8
const characters = 6
/** In words, as often as of the included works. */
const titleLengths = [1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 8]

const shippedLines = readFileSync(join(works, 'anime.jsonl'), 'utf8').split('\n').filter(Boolean)
export const shippedWorks = shippedLines.map((line) => JSON.parse(line) as Work)

/**
 * Writes a file of works and its mapping, the same in every run.
 * @param count how many works, those that ship among them
 * @returns the mapping's path
 */
export function writeManyWorks(folder: string, count: number): string {
  const lines = [...shippedLines]
  const invent = createInventor(shippedWorks)
  for (let place = lines.length; place < count; place += 1) {
    lines.push(JSON.stringify({ ...invent(), mal: firstId + place, rank: place + 1 }))
  }
  writeFileSync(join(folder, 'anime.jsonl'), lines.join('\n'))
  const mapping = join(folder, 'anime.json')
  writeFileSync(mapping, readFileSync(join(works, 'anime.json')))
  return mapping
}

function createInventor(shipped: readonly Work[]) {
  const random = seeded(11)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const some = <T>(count: number, item: () => T) => Array.from({ length: count }, item)

  const titleWords = shipped.flatMap(({ titles: { romaji, english = '', other = [] } }) =>
    [romaji, english, ...other].join(' ').split(/\s+/).filter(Boolean),
  )
  const names = shipped.flatMap((work) => work.characters ?? []).map((name) => name.split(' '))
  const sentences = shipped.flatMap(({ synopsis }) => synopsis.split(/(?<=[.?!]) /))
  const parts = shipped.flatMap(({ descriptions }) =>
    descriptions.flatMap((text) => text.split(/[,.] /)),
  )
  // One word, as one title in seven has, is hardly in any other; one in seven names a season.
  const title = () => {
    const length = pick(titleLengths)
    const words =
      length === 1 ? wordOf(random() * 1e9) : some(length, () => pick(titleWords)).join(' ')
    return random() < 1 / 7 ? `${words} Season ${2 + Math.floor(random() * 3)}` : words
  }
  const name = () => [...new Set([pick(names).at(0), pick(names).at(-1)])].join(' ')

  return () => {
    const [one, other] = [pick(shipped), pick(shipped)]
    return {
      ...one,
      titles: { romaji: title(), english: title(), other: some(otherTitles, title) },
      tags: Object.fromEntries(
        [...Object.entries(one.tags), ...Object.entries(other.tags)].filter(() => random() < 0.5),
      ),
      franchise: null,
      place: 'main',
      recommended: [],
      characters: some(characters, name),
      synopsis: some(4, () => pick(sentences)).join(' '),
      descriptions: [some(4, () => pick(parts)).join(', ')],
    }
  }
}
