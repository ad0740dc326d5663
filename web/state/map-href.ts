/** The address of the map, with a search whose results it highlights or a work that it points at. */
import { query } from './navigation.js'

export function mapHref({
  text,
  work,
}: {
  readonly text?: string | undefined
  readonly work?: number
}): string {
  const { dataset, filters, titles } = query.value
  const parameters = new URLSearchParams({
    ...(dataset !== 'anime' && { in: dataset }),
    ...(text !== undefined && { q: text }),
    ...(titles !== 'english' && { titles }),
    ...(filters.adult && { adult: '1' }),
    ...(work !== undefined && { work: String(work) }),
  })
  const search = parameters.toString()
  return search === '' ? 'map' : `map?${search}`
}
