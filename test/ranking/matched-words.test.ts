/** The words of a text that a query means, by the encoder that ships. */
import { createMatchedWords, type MatchedWords } from '#synoptic/search/ranking/matched-words.js'
import { builtinModel } from '#synoptic/models/registry/registry.js'
import type { OpenSearch } from '#synoptic/search/composition/open-search.js'
import type { Models } from '#synoptic/models/residency/resident-encoders.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { row } from '../catalogue/shelf.js'
import { openLibrary } from '../search/library.js'

let matchedWords: MatchedWords
let search: OpenSearch
beforeAll(async () => {
  ;({ search } = await openLibrary([{ name: 'anime', columns: ['synopsis'], rows: [row(1)] }], {
    isEmbedded: false,
  }))
  matchedWords = createMatchedWords(search.models, builtinModel)
})
const wordsOf = async (query: string, text: string) => {
  const [spans = []] = await matchedWords(query, [text])
  return spans.map(({ begin, end }) => text.slice(begin, end))
}

describe('matched words', () => {
  it.each([
    ['a boxer', 'The Boxers met; boxing is hard. A cook ate.', ['Boxers', 'boxing']],
    ['samurai', 'Samurai 侍 samurai!', ['Samurai', 'samurai']],
    ['the one with a and', 'the one and only', ['one']],
    ['pilots a robot', 'Robots\n\nfly', ['Robots']],
    ['ghost', '', []],
    ['12 34', 'In 12 days', ['12']],
  ])('of %j in %j', async (query, text, expected) => {
    expect(await wordsOf(query, text)).toEqual(expect.arrayContaining(expected))
    expect(await wordsOf(query, text)).toHaveLength(expected.length)
  })

  it('answers each text, and none where the query says nothing', async () => {
    expect(await matchedWords('robot', ['a robot', 'a cook', 'robots'])).toEqual([
      [{ begin: 2, end: 7 }],
      [],
      [{ begin: 0, end: 6 }],
    ])
    expect(await matchedWords('???', ['a robot'])).toEqual([[]])
  })

  it('lets other requests go on while it compares some of many words', async () => {
    const numbered = (begin: number, count: number) =>
      Array.from({ length: count }, (_, i) => `w${begin + i}`)
    const query = numbered(0, 400)
    const texts = Array.from({ length: 30 }, (_, i) => numbered(400 * i, 600).join(' '))
    let turns = 0
    let compared = 0
    const models: Pick<Models, 'use'> = {
      use: (name, task) =>
        search.models.use(name, (encoder) =>
          task({
            ...encoder,
            encode(words, options) {
              compared = words.length
              return encoder.encode(words, options).finally(count)
            },
          }),
        ),
    }
    let isDone = false
    const count = () => {
      if (isDone) return
      turns += 1
      setImmediate(count)
    }
    const matched = await createMatchedWords(models, builtinModel)(query.join(' '), texts)
    isDone = true
    expect(turns).toBeGreaterThan(3)
    expect(compared).toBe(10_100)
    // Equal words match, the last of the query, too.
    expect(matched[0]?.slice(0, 400).at(-1)).toMatchObject({ end: query.join(' ').length })
  })

  it('rejects where the client has left', async () => {
    const refused = matchedWords('robot', ['a machine'], AbortSignal.abort(new Error('gone')))
    await expect(refused).rejects.toThrow('gone')
  })
})
