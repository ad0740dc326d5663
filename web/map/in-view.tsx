/** What is in view, in words: for people who do not see the points, and for those who do not know what they mean. */
import { useEffect, useState } from 'preact/hooks'
import { countLabel } from '../lib/words.js'
import { mapView, found, pointed, view } from './state.js'
import { workHref } from './work-link.js'
import { titleIn, type Points } from './points.js'
import { toPlace, type View } from './view.js'

const listed = 14
/** While the map moves, the list follows that often. */
const followMs = 250

interface Seen {
  readonly what: string
  readonly count: number
  /** The best result first, else the best-known work. */
  readonly works: readonly number[]
  readonly about: readonly string[]
}

export function InView({ points }: { readonly points: Points }) {
  const [seen, setSeen] = useState<Seen>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        setSeen(look(points, view.peek(), found.peek()?.works))
      }, followMs)
    }
    const ends = [view.subscribe(follow), found.subscribe(follow)]
    return () => {
      for (const end of ends) end()
      clearTimeout(timer)
    }
  }, [points])

  const { year } = points.data.works
  if (seen === undefined) return null
  return (
    <section class="in-view" aria-label="In view">
      <h2>In view</h2>
      <p role="status">
        {countLabel(seen.count, seen.what)}
        {seen.about.length > 0 && `: ${seen.about.join(', ')}`}
      </p>
      <ol>
        {seen.works.map((at) => (
          <li key={at}>
            <a
              href={workHref(points, at)}
              onFocus={() => (pointed.value = at)}
              onBlur={() => (pointed.value = undefined)}
              onPointerEnter={() => (pointed.value = at)}
              onPointerLeave={() => (pointed.value = undefined)}
            >
              <bdi>{titleIn(points, at, mapView.value.titles)}</bdi>
              {(year[at] ?? 0) > 0 && <span> {year[at]}</span>}
            </a>
          </li>
        ))}
      </ol>
    </section>
  )
}

function look(points: Points, now: View, results: readonly number[] | undefined): Seen {
  const plane = document.querySelector('.plane')
  const size = { width: plane?.clientWidth ?? 1, height: plane?.clientHeight ?? 1 }
  const [left, top] = toPlace(now, size, 0, 0)
  const [right, bottom] = toPlace(now, size, size.width, size.height)
  const isIn = (x: number, y: number) => x >= left && x <= right && y >= top && y <= bottom
  const { places, count, data } = points
  const works: number[] = []
  let number = 0
  for (let i = 0; i < (results?.length ?? count); i++) {
    const at = results === undefined ? i : (results[i] ?? 0)
    if (!isIn(places[2 * at] ?? 0, places[2 * at + 1] ?? 0)) continue
    number += 1
    if (works.length < listed) works.push(at)
  }
  const regions = data.regions.filter(({ x, y }) => isIn(x / data.extent, y / data.extent))
  const level = Math.min(...regions.map((region) => region.level))
  const about = regions
    .filter((region) => region.level === level)
    .sort((one, other) => other.works - one.works)
    .slice(0, 4)
    .map(({ words }) => words.join(' and '))
  return { what: results === undefined ? 'work' : 'result', count: number, works, about }
}
