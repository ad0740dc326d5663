/** Values as people read them. */
import type { DatasetName } from './query.js'
import type { Entry, Result } from './types.js'

const types = new Map([
  ['tv', 'TV'],
  ['ova', 'OVA'],
  ['ona', 'ONA'],
  ['tv_special', 'TV special'],
  ['cm', 'Commercial'],
  ['pv', 'Promotional video'],
  ['oel', 'English-language manga'],
])

/** `light_novel` as "Light novel". */
export function typeLabel(type: string): string {
  const words = type.replaceAll('_', ' ')
  return types.get(type) ?? words.charAt(0).toUpperCase() + words.slice(1)
}

export function countLabel(count: number, one: string, several = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`
}

type Facts = Pick<
  Result,
  'type' | 'year' | 'episodes' | 'minutes' | 'volumes' | 'studios' | 'authors'
>

/** What a card says in one line: type, year, length, makers. */
export function factsOf(facts: Facts): string[] {
  const { type, year, episodes, minutes, volumes, studios, authors } = facts
  const makers = studios && studios.length > 0 ? studios : authors
  return [
    type ? typeLabel(type) : '',
    year ? String(year) : '',
    type === 'movie' && minutes
      ? countLabel(minutes, 'minute')
      : episodes
        ? countLabel(episodes, 'episode')
        : '',
    volumes ? countLabel(volumes, 'volume') : '',
    makers?.slice(0, 2).join(', ') ?? '',
  ].filter((fact) => fact !== '')
}

/** Metadata of an entry may be anything; only texts are used. */
export function textsOf(entry: Entry, name: string): string[] {
  const value = entry[name]
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.filter((item): item is string => typeof item === 'string' && item !== '')
}

const listWords: Readonly<Record<string, string>> = {
  PLANNING: 'Planned',
  COMPLETED: 'Completed',
  DROPPED: 'Dropped',
  PAUSED: 'Paused',
}

/** `Anime`, `Board games`. */
export function datasetLabel(name: DatasetName): string {
  const words = name.replaceAll('-', ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

/** A status of a list, which is not that of the work itself: `Completed on your list`. */
export function listLabel(status: string, dataset: DatasetName): string {
  const verb = dataset === 'anime' ? 'atching' : 'eading'
  const again = status === 'REPEATING' ? `Re${dataset === 'anime' ? 'w' : 'r'}${verb}` : undefined
  const now = `${dataset === 'anime' ? 'W' : 'R'}${verb}`
  return `${listWords[status] ?? again ?? now} on your list`
}

/** The words before the label of a reading. */
const prefixes = new Map([
  ['title', 'titled '],
  ['like', 'like '],
  ['makers', 'by the makers of '],
  ['studio', 'by '],
  ['person', 'by '],
  ['magazine', 'in '],
])

/** A reading as its chip says it. */
export function readingLabel({
  kind,
  label,
  excluded,
}: {
  readonly kind: string
  readonly label: string
  readonly excluded: boolean
}): string {
  const words = `${prefixes.get(kind) ?? ''}${label}`
  return excluded ? `not ${words}` : words
}

/** A score below it is that of a loose match. */
const leastFit = 0.2

/** Whether the fit of results differs so much that other words describe it. */
export const separates = (results: readonly Pick<Result, 'score'>[]): boolean =>
  new Set(results.map(({ score }) => fitLabel(score))).size > 1

/** What a score of 0 to 1 means. */
export const relevanceLabel = (score: number): string =>
  `${Math.round(score * 100)} of 100: ${fitLabel(score)}`

function fitLabel(score: number): string {
  if (score >= 0.8) return 'very likely what you mean'
  if (score >= 0.5) return 'likely what you mean'
  if (score >= leastFit) return 'fits in part'
  return 'a loose match'
}

const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}\p{Script=Hangul}]/u
export const isJapanese = (text: string): boolean => japanese.test(text)
