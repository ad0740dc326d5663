/** What the server says of itself in the page's head. */
import type { PageFacts } from '../../src/server/http/routes/page.js'
import type { DatasetName } from './query.js'

function read(): PageFacts {
  const content = document.querySelector<HTMLMetaElement>('meta[name=synoptic]')?.content ?? ''
  try {
    return JSON.parse(content) as PageFacts
  } catch {
    return {
      version: '',
      datasets: {},
      feedback: false,
      anilistUsers: false,
      covers: [],
      sources: [],
      groups: [],
    }
  }
}

export const server: PageFacts = read()

/** Whether the server serves that group of routes. */
export const has = (group: string): boolean => server.groups.includes(group)

/** What people keep lists of, and sites know. */
const works: readonly DatasetName[] = ['anime', 'manga']
const present = Object.keys(server.datasets)
/** Those of the catalogue; anime and manga where the server says nothing, so that its own answer is shown. */
export const datasets: readonly DatasetName[] = present.length > 0 ? present : works
export const withLists: readonly DatasetName[] = datasets.filter((name) => works.includes(name))
