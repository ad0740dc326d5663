import { Database } from '#synoptic/base/util/sqlite.js'
import { createPostingsBuilder } from '#synoptic/data/lexical/postings.js'
import { createWordNumbers } from '#synoptic/data/lexical/word-numbers.js'
import { splitWords } from '#synoptic/base/text/searched-words.js'
import { openStemmer } from '#synoptic/base/text/stemmer.js'
import { expect, test } from 'vitest'
import { inventWorks } from '../search/array-catalogue.js'

test('postings are the same however many words are gathered at a time', () => {
  const stemmer = openStemmer(new Database(':memory:'))
  const documents = inventWorks(80, 3, 41).map(({ title, texts }) => ({
    titles: [title],
    texts: texts.filter((text) => text !== null),
  }))
  const build = (atOnce?: number) => {
    const postings = createPostingsBuilder()
    for (const document of documents) postings.add(document)
    return [...postings.build(stemmer, atOnce)]
  }
  const whole = build()
  expect(whole.length).toBeGreaterThan(50)
  expect(whole.map(({ stem }) => stem)).toEqual(whole.map(({ stem }) => stem).sort())
  for (const atOnce of [1, 7, 100, 1000]) expect(build(atOnce)).toEqual(whole)
  expect([...createPostingsBuilder().build(stemmer)]).toEqual([])
})

test('words are numbered as they are split, each by its first place', () => {
  const texts = [
    "It's K-ON! 2 and Café, naïve Ｆｕｌｌ ｗｉｄｔｈ",
    '東京喰種、ガンダム 機動戦士 𠮷野家 𝐁𝐨𝐥𝐝 𝟙𝟚 😀smile😀',
    'e\u0301galite\u0301 \ue000private\u{100000}use \ud842 lone \udfb7 halves\ud842',
    '\ufeffa\u200db _under_score ½ ² Ⅷ ªº',
    '',
    ' ',
    `${'long'.repeat(20_000)} it's again K ON`,
  ]
  const words = createWordNumbers()
  const found: number[] = []
  for (const text of texts) words.read(text, found)
  const expected = texts.flatMap(splitWords)
  const distinct = [...new Set(expected)]
  expect([...words.words()]).toEqual(distinct)
  expect(found).toEqual(expected.map((word) => distinct.indexOf(word)))
})

test('words are distinguished however many there are', () => {
  const words = createWordNumbers()
  const numbers: number[] = []
  const all = Array.from({ length: 20_000 }, (_, number) => (number * 7919).toString(36))
  words.read(all.join(' '), numbers)
  words.read(all.toReversed().join('/'), numbers)
  expect([...words.words()]).toEqual(all)
  expect(numbers).toEqual([...all.keys(), ...[...all.keys()].reverse()])
})
