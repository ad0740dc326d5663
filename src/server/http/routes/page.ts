/** The page for people: GET / for browsers, and its files. Its links are relative, so a proxy may serve it under a prefix. */
import { every, except } from 'hono/combine'
import type { AppContext, AppHandler } from '../env.js'
import { pageFile, readPage } from '../page-files.js'
import { isGroupEnabled, type Route } from '../route.js'
import { coverOrigins } from '../../../base/config/page-rows.js'
import { routeGroups } from '../../../base/config/route-groups.js'
import type { HealthReport, SourceHealth } from '../../schemas/server-health.js'
import type { AppServices } from '../services.js'
import { wantsPage } from '../wants-page.js'
import { fileHandler, pageFiles, pagePolicy, staticRoute } from '../static-route.js'

/** What the page gets to know of its server. */
export interface PageFacts {
  readonly version: string
  /** Works of each dataset. */
  readonly datasets: Readonly<Record<string, number>>
  /** Whether it keeps which results people choose as the right ones. */
  readonly feedback: boolean
  /** Whether it reads the public lists of AniList users. */
  readonly anilistUsers: boolean
  /** Sites whose covers are shown, and the origins of their pictures, as the policy of the page has them. */
  readonly covers: readonly { readonly site: string; readonly origin: string }[]
  /** Whose data it shows, each once. */
  readonly sources: readonly SourceHealth[]
  /** Groups of routes that are served. */
  readonly groups: readonly string[]
}

type PageServices = Pick<AppServices, 'settings' | 'health' | 'feedback' | 'publicLists'>

/** A page with the facts of its server. */
export function createFactsPage(
  template: string,
  { settings, health, feedback, publicLists }: PageServices,
) {
  const covers = settings.covers
    .filter((site) => site !== 'off')
    .map((site) => ({ site, origin: coverOrigins[site] ?? site }))
  const groups = routeGroups.filter((group) => isGroupEnabled(settings, group))
  const show: AppHandler = (c) => {
    const { version, datasets } = health.report()
    const counts = Object.entries(datasets).map(([name, { entries }]) => [name, entries] as const)
    const facts: PageFacts = {
      version,
      datasets: Object.fromEntries(counts),
      sources: sourcesOf(datasets),
      covers,
      feedback: feedback !== undefined && groups.includes('feedback'),
      anilistUsers: publicLists !== undefined,
      groups,
    }
    const { title, description } = previewOf(c.req.query())
    const values = { server: JSON.stringify(facts), title, description, image: imageOf(c.req) }
    return c.html(
      template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
        asAttribute(Object.hasOwn(values, name) ? values[name as keyof typeof values] : ''),
      ),
    )
  }
  return { show, coverHosts: covers.map(({ origin }) => origin), groups }
}

/** Returns no routes with `--ui off`, and where the page is not built. */
export function pageRoutes(services: PageServices): Route[] {
  const template = services.settings.ui === 'off' ? undefined : readPage('index.html')
  if (template === undefined) return []
  const { show, coverHosts, groups } = createFactsPage(template, services)
  const { guards, handler, ...route } = staticRoute('page', '/', show, {
    guards: [pagePolicy(coverHosts)],
  })
  // Without the group `health`, the page is all that is there.
  const isForAll = !groups.includes('health')
  return [
    {
      ...route,
      guards: [],
      handler: except((c) => !isForAll && !wantsPage(c), every(...guards, handler)),
    },
    ...pageFiles('page'),
    staticRoute('page', `/page/${previewImage}`, fileHandler(pageFile(previewImage), 'image/png')),
  ]
}

const previewImage = 'preview.png'
const about = 'Find anime and manga by what you remember of them.'
const longestShown = 200

/** What other sites show of a link to this page. The server looks nothing up for it: a preview needs no key. */
function previewOf({ q = '' }: Readonly<Record<string, string>>) {
  const text = q.trim().slice(0, longestShown)
  return text === ''
    ? { title: 'Synoptic', description: about }
    : { title: `“${text}” · Synoptic`, description: about }
}

/** Other sites take a whole address only. A client that makes the headers of a proxy up changes its own answer alone. */
function imageOf(request: AppContext['req']): string {
  const { host, protocol } = new URL(request.url)
  const isSecure = request.header('x-forwarded-proto') === 'https'
  const prefix = /^(?:\/[\w.~-]+)*/.exec(request.header('x-forwarded-prefix') ?? '')?.[0] ?? ''
  return `${isSecure ? 'https:' : protocol}//${host}${prefix}/page/${previewImage}`
}

function sourcesOf(datasets: HealthReport['datasets']): SourceHealth[] {
  const all = Object.values(datasets).flatMap(({ sources }) => sources)
  return [...new Map(all.map((source) => [source.name, source])).values()]
}

const asAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
