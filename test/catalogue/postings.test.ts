import Database from 'better-sqlite3'
import { buildPostings } from '#synoptic/catalogue/postings.js'
import { openStemmer } from '#synoptic/catalogue/words.js'
import { expect, test } from 'vitest'
import { inventWorks } from '../search/array-catalogue.js'

test('postings are the same however many words are gathered at a time', () => {
  const stemmer = openStemmer(new Database(':memory:'))
  const documents = inventWorks(80, 3, 41).map(({ title, texts }) => ({
    titles: [title],
    texts: texts.filter((text) => text !== null),
  }))
  const whole = [...buildPostings(documents, stemmer)]
  expect(whole.length).toBeGreaterThan(50)
  expect(whole.map(({ stem }) => stem)).toEqual(whole.map(({ stem }) => stem).sort())
  for (const atOnce of [1, 7, 100, 1000]) {
    expect([...buildPostings(documents, stemmer, atOnce)]).toEqual(whole)
  }
  expect([...buildPostings([], stemmer)]).toEqual([])
})
