/** The first work of each series. */
import { expect, test } from 'vitest'
import { createTitleIndex } from '#synoptic/data/titles/title-index.js'
import { unknown, work } from '../facts/make-facts.js'
import { namesOf } from './make-names.js'

type Works = readonly (readonly [title: string, franchise?: string, relation?: string])[]

const continuedOf = (works: Works): readonly number[] => {
  const facts = works.map(([, franchise, relation]) =>
    franchise === undefined
      ? unknown
      : work({ franchise, ...(relation !== undefined && { relation }) }),
  )
  const titles = works.map(([text], row) => ({ row, text, kind: 'main' as const }))
  return [...namesOf(facts, { titles: createTitleIndex(titles) }).continued]
}

test('is the main work where its franchise has one, whatever the titles', () => {
  const works: Works = [
    ['Shippuden', 'naruto', 'sequel'],
    ['Naruto', 'naruto', 'main'],
    ['The Last', 'naruto', 'film'],
    ['Naruto: Boruto', 'boruto', 'main'],
  ]
  expect(continuedOf(works)).toEqual([1, -1, 1, -1])
})

test('follows titles within a franchise without known relations', () => {
  const works: Works = [
    ['Gantz 2', 'of-1'],
    ['Gantz', 'of-1'],
    ['Gantz Encyclopedia', 'of-7'],
    ['Osaka Hen', 'of-1'],
  ]
  expect(continuedOf(works)).toEqual([1, -1, -1, -1])
})

test('follows titles where no franchise is known', () => {
  expect(continuedOf([['Mushishi'], ['Mushishi Zoku Shou'], ['Monster']])).toEqual([-1, 0, -1])
})

test('is none of another franchise', () => {
  expect(continuedOf([['Monster', 'a', 'main'], ['Monster Musume']])).toEqual([-1, -1])
})
