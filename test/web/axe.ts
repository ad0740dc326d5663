/** What axe-core finds wrong with a page for people who use it by other means than eyes and mouse. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

export async function violations(page: Page): Promise<string[]> {
  // By the debugger, which no policy of the page concerns.
  await page.evaluate(axe)
  const found = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 120)} ${failureSummary}`),
  )
}
