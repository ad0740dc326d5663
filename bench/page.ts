/**
 * From Enter to the first results on the screen, in Chromium, and how long the same search takes by fetch. It needs a
 * server with the built-in works (`synoptic serve --rate-limit 0`) in SYNOPTIC_BENCH_PAGE, and a Chromium in
 * SYNOPTIC_TEST_BROWSER or /usr/bin/chromium.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'

const origin = process.env.SYNOPTIC_BENCH_PAGE
const executablePath = process.env.SYNOPTIC_TEST_BROWSER ?? '/usr/bin/chromium'
const corpus = new URL('../../tools/reader/corpus/found.jsonl', import.meta.url)
/** Every sixth query of the corpus, and some that warm the page and the server up. */
const every = 6
const warmUps = 5

export const trial = {
  words: ['page'],
  summary: 'milliseconds from Enter to the first results in Chromium, and of the search alone.',
  run,
}

async function run(print: (line: string) => void): Promise<void> {
  if (origin === undefined) {
    print('skipped: SYNOPTIC_BENCH_PAGE names no server')
    return
  }
  const queries = readFileSync(fileURLToPath(corpus), 'utf8')
    .trim()
    .split('\n')
    .filter((_, at) => at % every === 0)
    .map((line) => (JSON.parse(line) as { readonly query: string }).query)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(origin)
  const shown: number[] = []
  const drawn: number[] = []
  const searched: number[] = []
  for (const [at, query] of queries.entries()) {
    // Words of no work, so that neither has what the other one left in a cache.
    const alone = await page.evaluate(searchAlone, `${query} qx`)
    const both = await msUntilShown(page, query)
    if (at < warmUps) continue
    searched.push(alone)
    shown.push(both.total)
    drawn.push(both.own)
  }
  await browser.close()
  const ratio = quantile(shown, 0.5) / quantile(searched, 0.5)
  print(`Enter to first results: ${textOf(shown)}, ${shown.length} queries`)
  print(`of it after the response: ${textOf(drawn)}`)
  print(`the search by fetch:    ${textOf(searched)}; ratio of medians ${ratio.toFixed(2)}`)
}

/** Runs in the page, where the next frame after the change is the one that people see. */
const msUntilShown = (page: Page, query: string): Promise<{ total: number; own: number }> =>
  page.evaluate(async (text) => {
    const box = document.querySelector<HTMLTextAreaElement>('#box')
    if (box === null) throw new Error('there is no box')
    box.value = text
    box.dispatchEvent(new InputEvent('input', { bubbles: true }))
    const begun = performance.now()
    box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    const isShown = () =>
      new URLSearchParams(location.search).get('q') === text.trim() &&
      document.querySelector('.results[aria-busy=false] :is(.cards article, .state)') !== null
    // Until the first frame, the page is as it was before the search.
    do await new Promise(requestAnimationFrame)
    while (!isShown())
    await new Promise(requestAnimationFrame)
    const shownAt = performance.now()
    const responses = performance
      .getEntriesByType('resource')
      .filter(({ name, startTime }) => name.includes('/search/') && startTime >= begun)
    const received = responses.at(-1) as PerformanceResourceTiming | undefined
    return { total: shownAt - begun, own: shownAt - (received?.responseEnd ?? begun) }
  }, query)

const searchAlone = async (query: string): Promise<number> => {
  const begun = performance.now()
  const body = JSON.stringify({
    query,
    num_results: 10,
    group: 'franchise',
    fields: 'all',
    explain: true,
    facets: true,
  })
  const headers = { 'content-type': 'application/json' }
  await (await fetch('search/anime', { method: 'POST', headers, body })).json()
  return performance.now() - begun
}

function textOf(values: readonly number[]): string {
  const [median, high, most] = [0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(0))
  return `median ${median} ms, 95 % ${high} ms, most ${most} ms`
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[
    Math.min(values.length - 1, Math.floor(share * values.length))
  ] ?? Number.NaN
