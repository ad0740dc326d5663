/** The words of a text that a query means, by the encoder that ships. */
import { createMatchedWords, type MatchedWords } from '#synoptic/ranking/matched-words.js'
import { builtinModel } from '#synoptic/models/registry.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { row } from '../catalogue/shelf.js'
import { openLibrary } from '../search/library.js'

let matchedWords: MatchedWords
beforeAll(async () => {
  const { search } = await openLibrary([{ name: 'anime', columns: ['synopsis'], rows: [row(1)] }], {
    isEmbedded: false,
  })
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

  it('rejects where the client has left', async () => {
    const refused = matchedWords('robot', ['a machine'], AbortSignal.abort(new Error('gone')))
    await expect(refused).rejects.toThrow('gone')
  })
})
