#!/usr/bin/env node
/**
 * Writes what writers read of each work, 25 works a file, best known first,
 * and the list of what is left out and why.
 *
 * node tools/works/batches.js [--facts ../writing/facts]
 *   [--out ../writing/batches] [--reports ../writing]
 *
 * The texts in the batches are evidence, not part of the project.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const here = import.meta.dirname
const { values: args } = parseArgs({
  options: {
    facts: { type: 'string', default: join(here, '../../../writing/facts') },
    out: { type: 'string', default: join(here, '../../../writing/batches') },
    reports: { type: 'string', default: join(here, '../../../writing') },
  },
})
const SIZE = 25

/** @param {string} path */
const lines = (path) =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((l) => JSON.parse(l))
const overrides = JSON.parse(readFileSync(join(here, 'overrides.json'), 'utf8'))
const anime = lines(join(args.facts, 'anime.jsonl'))
const print = lines(join(args.facts, 'manga.jsonl'))
const evidence = new Map(
  lines(join(args.facts, 'evidence.jsonl')).map((e) => [
    `${e.kind === 'anime' ? 'anime' : 'manga'}:${e.mal}`,
    e,
  ]),
)
const kindOf = new Map(
  lines(join(args.facts, 'evidence.jsonl'))
    .filter((e) => e.kind !== 'anime')
    .map((e) => [e.mal, e.kind]),
)

// A tag is the more telling the fewer works have it.
const frequency = new Map()
for (const { tags } of evidence.values())
  for (const tag of tags) frequency.set(tag, (frequency.get(tag) ?? 0) + 1)
/** @param {string[]} tags @param {any} work */
const telling = (tags, work) => {
  const said = new Set(
    [...(work.genres ?? []), ...(work.themes ?? []), work.audience ?? '']
      .join('|')
      .toLowerCase()
      .split('|'),
  )
  return tags
    .filter((t) => !said.has(t.toLowerCase()) && !/^based on|^shorts$/i.test(t))
    .sort((a, b) => frequency.get(a) - frequency.get(b))
    .slice(0, 12)
}

/** @param {string | undefined} text */
const clean = (text) =>
  (text ?? '')
    .replace(/<br\s*\/?>/gi, ' ')
    .replace(/<[^>]+>/g, '')
    .replace(/\[Written by[^\]]*\]/gi, '')
    .replace(/\((?:Source|Adapted)[^)]*\)/gi, '')
    .replace(/Source: .*$/i, '')
    .replace(/(?:Note|Included one-shots?|\[?Included):.*$/is, '')
    .replace(/&amp;/g, '&')
    .replace(/&(?:quot|#0?39);/g, "'")
    .replace(/\s+/g, ' ')
    .trim()

/** Up to about `length` characters, ending with a sentence. */
const cut = (text, length) => {
  if (text.length <= length * 1.15) return text
  const head = text.slice(0, Math.round(length * 1.25))
  const ends = [...head.matchAll(/[.!?…]["”')]?(?=\s)/g)].map((m) => m.index + m[0].length)
  const fit = ends.filter((e) => e >= length * 0.5)
  const end = fit.sort((a, b) => Math.abs(a - length) - Math.abs(b - length))[0]
  return end ? head.slice(0, end) : `${text.slice(0, length)}…`
}

const mains = { anime: new Map(), print: new Map() }
for (const [side, list] of [
  ['anime', anime],
  ['print', print],
])
  for (const w of list)
    if (w.place === 'main' && !mains[side].has(w.franchise)) mains[side].set(w.franchise, w)

/** @param {any} w @param {'anime' | 'print'} side */
const entry = (w, side) => {
  const { tags, text } = evidence.get(`${side === 'anime' ? 'anime' : 'manga'}:${w.mal}`)
  const t = w.titles
  const size = [
    w.episodes && w.type !== 'movie' && `${w.episodes} ep`,
    w.volumes && `${w.volumes} vol`,
    w.chapters && `${w.chapters} ch`,
  ].filter(Boolean)
  const main = mains[side].get(w.franchise)
  const of =
    w.place !== 'main' && main ? ` of ${main.mal} ${main.titles.english ?? main.titles.romaji}` : ''
  const head = [
    w.mal,
    [t.romaji, t.english, t.native].filter(Boolean).join(' / ') +
      (t.other ? ` (${t.other.slice(0, 3).join('; ')})` : ''),
    [w.type, w.year, ...size].filter(Boolean).join(' '),
    (w.studios ?? w.authors ?? []).join(', '),
    w.source,
    w.audience,
    (w.genres ?? []).join(', '),
    w.themes && `themes: ${w.themes.join(', ')}`,
    w.adult && 'ADULT',
    `franchise ${w.franchise}: ${w.place}${of}`,
  ].filter(Boolean)
  const length =
    side === 'anime' && w.rank <= 600 && w.place === 'main'
      ? 280
      : w.rank > 2000 || !['main', 'remake'].includes(w.place)
        ? 1000
        : 700
  const best = telling(tags, w)
  return [
    `# ${head.join(' | ')}`,
    ...(best.length > 0 ? [`tags: ${best.join('; ')}`] : []),
    `text: ${cut(clean(text), length) || '(none)'}`,
  ].join('\n')
}

const leftOut = []
/** @param {any} w @param {'anime' | 'print'} side */
const stays = (w, side) => {
  const key = `${side === 'anime' ? 'anime' : 'manga'}:${w.mal}`
  const text = clean(evidence.get(key).text)
  const reason =
    overrides.leaveOut[key] ??
    (overrides.keep[key]
      ? undefined
      : w.place === 'recap'
        ? 'recap'
        : ['special', 'music'].includes(w.type) && text.length < 150
          ? `${w.type}, no text about it`
          : text.length < (w.year && w.type ? 60 : 100) && !(w.year < 2025)
            ? 'new or announced, no text about it'
            : undefined)
  if (reason) leftOut.push(`${key} | ${w.titles.romaji} | ${reason}`)
  return !reason
}

// Which work is in which file stays as it was first written: writers work from
// them. What is left out later leaves a gap, what comes later goes to the end.
// Which work is in which file stays as it was first written: writers work from
// them. What is left out later leaves a gap, what comes later goes to the end.
mkdirSync(args.out, { recursive: true })
const planFile = join(args.out, 'plan.json')
/** @type {Record<string, number[][]>} */
const plan = existsSync(planFile) ? JSON.parse(readFileSync(planFile, 'utf8')) : {}
const lists = {
  anime: anime.filter((w) => stays(w, 'anime')),
  manga: print.filter((w) => kindOf.get(w.mal) === 'manga' && stays(w, 'print')),
  manhwa: print.filter((w) => kindOf.get(w.mal) === 'manhwa' && stays(w, 'print')),
}
for (const [name, list] of Object.entries(lists)) {
  const files = (plan[name] ??= [])
  const planned = new Set(files.flat())
  for (const { mal } of list) {
    if (planned.has(mal)) continue
    if (files.length === 0 || files.at(-1).length >= SIZE) files.push([])
    files.at(-1).push(mal)
  }
  const works = new Map(list.map((w) => [w.mal, w]))
  let bytes = 0
  for (const [index, ids] of files.entries()) {
    const text =
      ids
        .filter((mal) => works.has(mal))
        .map((mal) => entry(works.get(mal), name === 'anime' ? 'anime' : 'print'))
        .join('\n\n') + '\n'
    bytes += text.length
    const number = String(index + 1).padStart(3, '0')
    writeFileSync(join(args.out, `${name}-${number}.txt`), text)
  }
  console.log(`${name}: ${list.length} works, ${files.length} files, ${bytes} characters`)
}
writeFileSync(planFile, JSON.stringify(plan))
writeFileSync(join(args.reports, 'left-out.txt'), leftOut.join('\n') + '\n')
console.log(`left out: ${leftOut.length}`)
