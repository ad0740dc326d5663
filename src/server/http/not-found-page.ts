/** What browsers show at an address that this server does not have; programs receive the problem as JSON. */
import type { AppContext } from './env.js'
import { pagePolicy } from './static-route.js'
import { wantsPage } from './wants-page.js'

const policy = pagePolicy()

/** Undefined for programs, and where nothing was read. */
export async function notFoundPage(c: AppContext): Promise<Response | undefined> {
  const { method, path } = c.req
  if ((method !== 'GET' && method !== 'HEAD') || !wantsPage(c)) return undefined
  // Relative, so that a proxy may serve it under a prefix.
  const home = '../'.repeat(Math.max(0, path.split('/').length - 2)) || './'
  await policy(c, () => Promise.resolve())
  return c.html(html(home), 404)
}

const html = (home: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Not found · Synoptic</title>
    <link rel="icon" type="image/svg+xml" href="${home}page/icon.svg" />
    <link rel="stylesheet" href="${home}page/style.css" />
  </head>
  <body>
    <main class="first">
      <h1 class="question">This page does not exist.</h1>
      <p><a href="${home}">Search anime and manga</a></p>
    </main>
  </body>
</html>
`
