/** The first work of each series. */
import { expect, test } from 'vitest'
import { findContinued } from '#synoptic/knowledge/continued-works.js'
import { createTitleIndex } from '#synoptic/titles/title-index.js'
import { factsOf, unknown, work } from '../facts/make-facts.js'

type Works = readonly (readonly [title: string, franchise?: string, place?: string])[]

const continuedOf = async (works: Works): Promise<readonly number[]> => {
  const facts = factsOf(
    works.map(([, franchise, place]) =>
      franchise === undefined
        ? unknown
        : work({ franchise, ...(place !== undefined && { place }) }),
    ),
  )
  const titles = works.map(([text], row) => ({ row, text, kind: 'main' as const }))
  return [...(await findContinued(facts, createTitleIndex(titles)))]
}

test('is the main work where its franchise has one, whatever the titles', async () => {
  const works: Works = [
    ['Shippuden', 'naruto', 'sequel'],
    ['Naruto', 'naruto', 'main'],
    ['The Last', 'naruto', 'film'],
    ['Naruto: Boruto', 'boruto', 'main'],
  ]
  expect(await continuedOf(works)).toEqual([1, -1, 1, -1])
})

test('follows titles within a franchise without known relations', async () => {
  const works: Works = [
    ['Gantz 2', 'of-1'],
    ['Gantz', 'of-1'],
    ['Gantz Encyclopedia', 'of-7'],
    ['Osaka Hen', 'of-1'],
  ]
  expect(await continuedOf(works)).toEqual([1, -1, -1, -1])
})

test('follows titles where no franchise is known', async () => {
  expect(await continuedOf([['Mushishi'], ['Mushishi Zoku Shou'], ['Monster']])).toEqual([
    -1, 0, -1,
  ])
})

test('is none of another franchise', async () => {
  expect(await continuedOf([['Monster', 'a', 'main'], ['Monster Musume']])).toEqual([-1, -1])
})
