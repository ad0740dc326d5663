/** How the choices for posts agree with their labels, as measure.js counts them. */
import { overlap } from './labels.js'

const refused = new Set(['avoid', 'disliked', 'seen'])
const nothing = new Set(['filler', 'personal', 'contrast', 'not-anime'])
const refusing = new Set(['refuse', 'seen', 'disliked'])

export function createScores() {
  const counts = new Map()
  const count = (name, value) => {
    const [sum, all] = counts.get(name) ?? [0, 0]
    counts.set(name, [sum + (value ? 1 : 0), all + 1])
  }
  return {
    add({ read, spans }, chosen) {
      const readings = chosen.map(({ from, to, group, role }) => ({
        begin: read.words[from].begin,
        end: read.words[to - 1].end,
        isWork: group === 'work',
        excluded: refusing.has(role),
      }))
      for (const reading of readings) {
        const label = spans.find(
          (span) => overlap(reading, span) * 2 >= reading.end - reading.begin,
        )
        if (label === undefined) continue
        const isRefused = refused.has(label.role)
        const isWrong = nothing.has(label.role) || isRefused !== reading.excluded
        count('wrong readings', isWrong)
        count(reading.isWork ? 'wrong works' : 'wrong facts', isWrong)
      }
      for (const span of spans) {
        const hits = readings.filter((reading) => {
          const shared = overlap(reading, span)
          return (
            shared > 0 && shared * 2 >= Math.min(reading.end - reading.begin, span.end - span.begin)
          )
        })
        const isRequested = hits.some(({ excluded }) => !excluded)
        if (span.role === 'like' || span.role === 'liked')
          count(
            'liked works read as examples',
            hits.some(({ isWork, excluded }) => isWork && !excluded),
          )
        if (span.role === 'seen' || span.role === 'disliked')
          count('seen and disliked not requested', !isRequested)
        if (span.role === 'avoid')
          count(
            'refusals read as refusals',
            hits.some(({ excluded }) => excluded),
          )
        if (span.role === 'want' || span.role === 'want-more-of')
          count('requests with something read', isRequested)
        if (nothing.has(span.role))
          count('filler, personal, contrast left alone', hits.length === 0)
      }
    },
    print() {
      for (const [name, [sum, all]] of counts)
        console.log(`  ${name.padEnd(40)} ${(sum / all).toFixed(3)} of ${all}`)
    },
  }
}
