/** What each candidate of a labelled query is: the number of its role, or -1, and how much that counts. */
import { factRoles, workRoles } from '../../dist/search/reader/choose.js'

const factOf = (role) => factRoles.indexOf(role)
const workOf = (role) => workRoles.indexOf(role)
const requested = new Set([
  'want',
  'want-more-of',
  'era',
  'length',
  'type',
  'audience',
  'maker',
  'status',
  'source',
  'popularity',
  'language',
])
const workRoleOf = {
  like: 'like',
  liked: 'like',
  seen: 'seen',
  disliked: 'disliked',
  avoid: 'disliked',
  'subject-work': 'subject',
  makers: 'makers',
}
/** Refusals are one part in six, and what they name must not be requested. */
const refusedWeight = 3.5
/** Facts that a remembered scene may be about. */
const ofScenes = new Set(['genre', 'subject', 'together', 'type'])
/** Of several candidates for a named work, which kind of match is the better one. */
const preferred = { exact: 0.35, whole: 0.3, initials: 0.3, near: 0.25, head: 0.2 }

export const overlap = (one, other) =>
  Math.max(0, Math.min(one.end, other.end) - Math.max(one.begin, other.begin))
const likeness = (one, other) =>
  overlap(one, other) / (Math.max(one.end, other.end) - Math.min(one.begin, other.begin))
/** Another match of the same words is as right. */
const isSamePlace = (one, other) => one.from === other.from && one.to === other.to
const spanOf = ({ words }, { from, to }) => ({ begin: words[from].begin, end: words[to - 1].end })

/** @param world `rowsOf(title)` and `isSameSeries(rows, others)` of the dataset */
export function labelsOfPost({ spans, answer = [] }, read, world) {
  const labels = read.candidates.map((candidate) => labelOf(candidate))
  keepBestWorks()
  keepLongestFacts()
  return labels

  function labelOf(candidate) {
    const span = spanOf(read, candidate)
    const [best] = spans
      .map((label) => ({ label, shared: overlap(span, label) }))
      .sort((a, b) => b.shared - a.shared)
    const label = best && best.shared * 2 >= span.end - span.begin ? best.label : undefined
    return candidate.group === 'fact'
      ? ofFact(candidate, span, label)
      : ofWork(candidate, span, label)
  }

  function ofFact({ sense: { list } }, span, label) {
    if (list === 'words') {
      const isRefused = spans.some((one) => one.role === 'avoid' && likeness(span, one) >= 0.45)
      return isRefused ? [factOf('refuse'), refusedWeight] : [-1, label ? 1 : 0.5]
    }
    if (label === undefined) return [-1, 0.4]
    if (requested.has(label.role)) return [factOf('request'), 1.2]
    if (label.role === 'avoid') return [factOf('refuse'), refusedWeight]
    if (label.role === 'scene') return [ofScenes.has(list) ? factOf('request') : -1, 0.25]
    return [-1, 1.2]
  }

  function ofWork({ work }, span, label) {
    if (label === undefined) return [-1, 0.6]
    const isAnswer = () =>
      answer.some((title) => world.isSameSeries(work.rows, world.rowsOf(title)))
    if (label.role === 'scene' && work.match === 'character')
      return isAnswer() ? [workOf('subject'), 1] : [-1, 1]
    if (label.role === 'character')
      return world.isSameSeries(work.rows, label.rows) ? [workOf('subject'), 1.5] : [-1, 1]
    const role = workRoleOf[label.role]
    if (role === undefined) return [-1, 1]
    const intended = label.rows ?? world.rowsOf(label.means.replace(/^like /, ''))
    const isIntended =
      intended.length > 0
        ? world.isSameSeries(work.rows, intended)
        : label.role !== 'avoid' && work.match === 'exact' && likeness(span, label) > 0.8
    if (!isIntended) return [-1, 1]
    return work.match === 'character' ? [-1, 0.2] : [workOf(role), 1.5]
  }

  /** Keeps the nearest of overlapping candidates for the same named work. */
  function keepBestWorks() {
    const taken = []
    read.candidates
      .map((candidate, at) => ({ candidate, at }))
      .filter(({ candidate, at }) => candidate.group === 'work' && labels[at][0] >= 0)
      .map((one) => ({ ...one, quality: qualityOf(one.candidate) }))
      .sort((a, b) => b.quality - a.quality)
      .forEach(({ candidate, at }) => {
        const other = taken.find(({ from, to }) => from < candidate.to && candidate.from < to)
        if (other === undefined) taken.push(candidate)
        else labels[at] = [-1, isSamePlace(other, candidate) ? 0 : 0.6]
      })
  }

  function qualityOf(candidate) {
    const span = spanOf(read, candidate)
    return (
      Math.max(...spans.map((label) => likeness(span, label))) +
      (preferred[candidate.work.match] ?? 0)
    )
  }

  function keepLongestFacts() {
    const facts = read.candidates.filter(
      (one) => one.group === 'fact' && one.sense.list !== 'words',
    )
    read.candidates.forEach((one, at) => {
      if (one.group !== 'fact' || one.sense.list === 'words' || labels[at][0] < 0) return
      const isInner = facts.some(
        ({ from, to }) => from <= one.from && to >= one.to && to - from > one.to - one.from,
      )
      if (isInner) labels[at] = [-1, 0.3]
    })
  }
}

/** @param expect readings with their spans: { begin, end, kind, what, excluded }, which may have the words before, too */
export function labelsOfExample(expect, read, world) {
  const labels = read.candidates.map((candidate) => labelOf(candidate))
  keepLargest()
  return labels

  function labelOf(candidate) {
    const span = spanOf(read, candidate)
    for (const reading of expect) {
      const near = likeness(span, reading)
      const isInside = overlap(span, reading) === span.end - span.begin
      const mayHaveMore = reading.excluded || reading.kind === 'like' || reading.kind === 'makers'
      if (near < 0.55 && !(isInside && mayHaveMore)) continue
      const weight = near === 1 || mayHaveMore ? 1 : 0.6
      if (candidate.group === 'fact') {
        const { fact, isLacking = false } = candidate.sense
        if (fact.kind !== reading.kind || !isSameTopic(fact, reading.what)) continue
        return [factOf(reading.excluded && !isLacking ? 'refuse' : 'request'), weight]
      }
      const role = roleOfReading(reading)
      // Expected examples have the words before, too: the whole query is no example.
      const isWhole = candidate.work.match === 'whole' || candidate.work.match === 'reworded'
      if (role === undefined || (isWhole && reading.kind !== 'title')) continue
      const intended = world.rowsOf(reading.what)
      if (intended.length > 0 && !world.isSameSeries(candidate.work.rows, intended)) continue
      return [workOf(role), weight]
    }
    return [-1, 1]
  }

  /** Of overlapping candidates for a work, the one with the most words. */
  function keepLargest() {
    const size = ({ from, to, work }) => to - from + (preferred[work.match] ?? 0)
    const taken = []
    read.candidates
      .map((candidate, at) => ({ candidate, at }))
      .filter(({ candidate, at }) => candidate.group === 'work' && labels[at][0] >= 0)
      .sort((a, b) => size(b.candidate) - size(a.candidate))
      .forEach(({ candidate, at }) => {
        const other = taken.find(({ from, to }) => from < candidate.to && candidate.from < to)
        if (other === undefined) taken.push(candidate)
        else labels[at] = [-1, isSamePlace(other, candidate) ? 0 : 0.6]
      })
  }
}

const isSameTopic = (fact, what) =>
  fact.kind !== 'topic' || [...fact.genres, ...fact.tags].some((name) => what.includes(name))

function roleOfReading({ kind, excluded }) {
  if (kind === 'title') return excluded ? 'seen' : 'subject'
  if (kind === 'like') return excluded ? 'disliked' : 'like'
  return kind === 'makers' ? 'makers' : undefined
}
