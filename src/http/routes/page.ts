/** The page for people: GET / for browsers, and its files. Its links are relative, so a proxy may serve it under a prefix. */
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { every, except } from 'hono/combine'
import type { AppHandler } from '../env.js'
import { readPage } from '../page-files.js'
import { isGroupEnabled, type Route } from '../route.js'
import { routeGroups } from '../../config/route-groups.js'
import type { HealthReport, SourceHealth } from '../server-health.js'
import type { AppServices } from '../services.js'
import { pageFiles, pagePolicy, staticRoute } from '../static-route.js'

/** What the page is told of its server. */
export interface PageFacts {
  readonly version: string
  /** Works of each dataset. */
  readonly datasets: Readonly<Record<string, number>>
  /** Whether it keeps which result people meant. */
  readonly feedback: boolean
  /** Origins from which covers may be shown. */
  readonly coverHosts: readonly string[]
  /** Whose data it shows, each once. */
  readonly sources: readonly SourceHealth[]
  /** Groups of routes that are served. */
  readonly groups: readonly string[]
}

type PageServices = Pick<AppServices, 'settings' | 'health' | 'feedback'>

/** A page that is told of its server. */
export function createFactsPage(template: string, { settings, health, feedback }: PageServices) {
  const coverHosts = settings.coverHosts.filter((host) => host !== 'none')
  const groups = routeGroups.filter((group) => isGroupEnabled(settings, group))
  const show: AppHandler = (c) => {
    const { version, datasets } = health.report()
    const counts = Object.entries(datasets).map(([name, { entries }]) => [name, entries] as const)
    const facts: PageFacts = {
      version,
      datasets: Object.fromEntries(counts),
      sources: sourcesOf(datasets),
      coverHosts,
      feedback: feedback !== undefined && groups.includes('feedback'),
      groups,
    }
    return c.html(template.replace('{{server}}', () => asAttribute(JSON.stringify(facts))))
  }
  return { show, coverHosts, groups }
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
  ]
}

/** Browsers name HTML first; programs that take anything receive JSON. */
function wantsPage(c: Context): boolean {
  c.header('Vary', 'Accept', { append: true })
  const [json, html] = ['application/json', 'text/html']
  return accepts(c, { header: 'Accept', supports: [json, html], default: json }) === html
}

function sourcesOf(datasets: HealthReport['datasets']): SourceHealth[] {
  const all = Object.values(datasets).flatMap(({ sources }) => sources)
  return [...new Map(all.map((source) => [source.name, source])).values()]
}

const asAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
