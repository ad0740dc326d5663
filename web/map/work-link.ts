/** The page of a work, which is part of the search page. */
import { keptTitles } from '../lib/storage.js'
import { mapView } from './state.js'
import type { Points } from './points.js'

export function workHref({ data }: Points, at: number): string {
  const { titles } = mapView.value
  const parameters = new URLSearchParams({
    ...(data.dataset !== 'anime' && { in: data.dataset }),
    work: String(data.works.id[at]),
    ...(mapView.value.adult && { adult: '1' }),
    ...(titles !== keptTitles() && titles !== 'english' && { titles }),
  })
  return `./?${parameters}`
}

export const openWork = (points: Points, at: number): void => location.assign(workHref(points, at))
