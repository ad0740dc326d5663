/** Other requests have their turn while a batch is answered. */
import { expect, it } from 'vitest'
import { openSearchScene } from './search-scene.js'

const { origin, post } = await openSearchScene()

const batch = (words: string) => ({
  queries: Array.from(
    { length: 64 },
    (_, i) => `a student finds a notebook, ${words}, and ${i} more people learn what it does`,
  ),
  num_results: 50,
})

it('no text of a batch keeps the event loop from other requests', async () => {
  const answers: number[] = []
  const answering = post('/search/anime', batch('first')).then(async (response) => {
    await response.arrayBuffer()
    answers.push(response.status)
  })
  let alive = 0
  while (answers.length === 0) {
    expect((await fetch(`${origin}/livez`)).status).toBe(200)
    alive += 1
  }
  await answering
  expect(answers).toEqual([200])
  // Each text gives way several times. A server that answers all in one piece answers one or two.
  expect(alive).toBeGreaterThan(10)
})

it('a search need not wait for the batches before it', async () => {
  const order: string[] = []
  const ask = async (name: string, body: object) => {
    const response = await post('/search/anime', body)
    await response.arrayBuffer()
    expect(response.status).toBe(200)
    order.push(name)
  }
  const batches = ['second', 'third', 'fourth'].map((words) => ask('batch', batch(words)))
  for (let i = 0; i < 3; i += 1) {
    await ask('search', { query: `a robot goes to school for the ${i}th time in the rain` })
  }
  await Promise.all(batches)
  expect(order.indexOf('batch')).toBeGreaterThanOrEqual(2)
})
