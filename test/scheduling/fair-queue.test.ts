import { createFairQueue } from '#synoptic/native/scheduling/fair-queue.js'
import { expect, it } from 'vitest'

it('takes items without an owner in their order', () => {
  const queue = createFairQueue<number>()
  for (let i = 0; i < 20; i += 1) queue.add(i)
  expect(Array.from({ length: 20 }, () => queue.next())).toEqual([...Array(20).keys()])
  expect(queue.next()).toBeUndefined()
})

it('lets an owner of one item pass owners of many', () => {
  const queue = createFairQueue<string>()
  const [one, other] = [{}, {}]
  for (let i = 0; i < 64; i += 1) {
    queue.add(`one ${i}`, one)
    queue.add(`other ${i}`, other)
  }
  for (let i = 0; i < 10; i += 1) queue.next()
  queue.add('late', {})
  expect([queue.next(), queue.next(), queue.next()]).toContain('late')
})

it('gives owners of many items equal shares, each in its order', () => {
  const queue = createFairQueue<string>()
  const [one, other] = [{}, {}]
  for (let i = 0; i < 40; i += 1) queue.add(`one ${i}`, one)
  for (let i = 0; i < 40; i += 1) queue.add(`other ${i}`, other)
  const taken = Array.from({ length: 40 }, () => queue.next() ?? '')
  const own = taken.filter((item) => item.startsWith('one'))
  expect(own.length).toBeGreaterThanOrEqual(18)
  expect(own.length).toBeLessThanOrEqual(22)
  expect(own).toEqual(own.map((_, i) => `one ${i}`))
})

it('goes on with an owner that adds one after the other, while twenty others keep coming', () => {
  const queue = createFairQueue<string>()
  const many = {}
  queue.add('many', many)
  for (let i = 0; i < 20; i += 1) queue.add('new', {})
  let taken = 0
  for (let i = 0; i < 21 * 16; i += 1) {
    if (queue.next() === 'many') {
      taken += 1
      queue.add('many', many)
    } else queue.add('new', {})
  }
  expect(taken).toBe(16)
})

it('counts its items', () => {
  const queue = createFairQueue<number>()
  const owner = {}
  queue.add(1, owner)
  queue.add(2, owner)
  queue.add(3)
  expect(queue.size()).toBe(3)
  queue.next()
  expect(queue.size()).toBe(2)
})
