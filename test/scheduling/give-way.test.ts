import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const url = JSON.stringify(import.meta.resolve('#synoptic/scheduling/give-way.js'))
/** Tells its thread's priority before, after, and after a second time. */
const thread = `
  const { getPriority } = require('node:os')
  const { parentPort } = require('node:worker_threads')
  import(${url}).then(({ giveWay }) => {
    const told = [getPriority()]
    for (let time = 0; time < 2; time += 1) {
      giveWay()
      told.push(getPriority())
    }
    parentPort.postMessage(told)
  })`

test.runIf(process.platform === 'linux')('lowers the priority of one thread only', async () => {
  const own = getPriority()
  const worker = new Worker(thread, { eval: true })
  const told = await new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  const lower = (steps: number) => Math.min(own + steps, 19)
  expect(told).toEqual([own, lower(10), lower(20)])
  expect(getPriority()).toBe(own)
})
