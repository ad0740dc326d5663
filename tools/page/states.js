/** States of the pages, as people meet them on a server with the built-in works: an address, and what is done there. */

import { URLSearchParams } from 'node:url'

const plot = 'a student finds a notebook that kills anyone whose name he writes in it'
const search = (query, more = {}) => `?${new URLSearchParams({ q: query, ...more })}`

/** Ids of Fullmetal Alchemist: Brotherhood, Mushishi and Death Note in the built-in works. */
const list = {
  anime: [
    { id: 5114, status: 'COMPLETED', score: 9 },
    { id: 457, status: 'COMPLETED', score: 10 },
    { id: 1535, status: 'DROPPED', score: 3 },
  ],
}
const withList = (page) =>
  page.addInitScript(
    `localStorage.setItem('synoptic-list', ${JSON.stringify(JSON.stringify(list))})`,
  )

/** What the server answers in place of a search. */
const answer =
  (status, kind, headers = {}) =>
  (page) =>
    page.route('**/search/**', (route) =>
      route.fulfill({
        status,
        headers: { 'content-type': 'application/problem+json', ...headers },
        body: JSON.stringify({
          type: `urn:synoptic:problem:${kind}`,
          title: kind,
          status,
          detail: 'The model builtin/maxsim-en cannot be loaded.',
          errors: [],
          requestId: '0f9c',
        }),
      }),
    )

/**
 * @typedef {object} State
 * @property {string} path
 * @property {(page: import('playwright-core').Page) => Promise<unknown>} [before] the page is opened
 * @property {(page: import('playwright-core').Page) => Promise<unknown>} [then] before the picture
 */

/** @type {Readonly<Record<string, State>>} */
export const states = {
  first: { path: '' },
  'first-both': { path: '?in=both' },
  results: { path: search('a boy who sees spirits in the countryside') },
  plot: { path: search(plot) },
  manga: { path: search('finished seinen about food without romance', { in: 'manga' }) },
  both: { path: search('giant robots fight in space', { in: 'both' }) },
  like: { path: search('like Mushishi but darker') },
  spoiler: { path: search('the barefoot detective dies of a heart attack in the rain') },
  romaji: { path: search('kimi no na wa', { titles: 'romaji', sort: 'year' }) },
  refined: { path: '?more=457&more=5114&less=1535' },
  filters: {
    path: search('ghosts', { type: 'movie', from: '1990', 'tag.all': 'dark' }),
    then: async (page) => {
      const opener = page.locator('.sheet-opener > button')
      if (await opener.isVisible()) await opener.click()
    },
  },
  foreign: { path: search('una chica que viaja con un fantasma por las montañas') },
  unknown: { path: search('something like Zorblax Chronicles but shorter') },
  nothing: { path: search('kettle', { from: '1901', to: '1902', type: 'ova' }) },
  typing: { path: '', then: (page) => page.locator('#box').pressSequentially('fulmetal alch') },
  work: { path: '?work=1535' },
  'work-of-results': { path: search('mushi', { work: '457' }) },
  'work-missing': { path: '?work=99999999' },
  list: {
    path: '',
    before: withList,
    then: (page) => page.getByRole('button', { name: 'My list' }).click(),
  },
  'for-me': { path: '?for=me', before: withList },
  loading: { path: search(plot), before: (page) => page.route('**/search/**', () => undefined) },
  gone: { path: search(plot), before: (page) => page.route('**/search/**', (r) => r.abort()) },
  limited: {
    path: search(plot),
    before: answer(429, 'rate-limited', { 'retry-after': '30' }),
  },
  key: { path: search(plot), before: answer(401, 'unauthorized') },
  fault: { path: search(plot), before: answer(500, 'model-load-failed') },
  map: { path: 'map', then: (page) => page.waitForTimeout(1500) },
  'map-of-results': { path: `map${search('ghosts')}`, then: (page) => page.waitForTimeout(1500) },
  status: { path: 'status', then: (page) => page.waitForTimeout(1500) },
  docs: { path: 'docs', then: (page) => page.locator('.opblock').first().waitFor() },
  'no-such-page': { path: 'no/such/page' },
}
