/** Whether a request comes from a browser that wants a page. */
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'

/** Browsers name HTML first; programs that take anything receive JSON. */
export function wantsPage(c: Context): boolean {
  c.header('Vary', 'Accept', { append: true })
  const [json, html] = ['application/json', 'text/html']
  return accepts(c, { header: 'Accept', supports: [json, html], default: json }) === html
}
