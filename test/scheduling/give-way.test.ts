import { getPriority } from 'node:os'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

const url = JSON.stringify(import.meta.resolve('#synoptic/native/scheduling/give-way.js'))
/** Posts its thread's priority before, after, and after a second time. */
const thread = `
  const { getPriority } = require('node:os')
  const { parentPort } = require('node:worker_threads')
  import(${url}).then(({ giveWay }) => {
    const priorities = [getPriority()]
    for (let time = 0; time < 2; time += 1) {
      giveWay()
      priorities.push(getPriority())
    }
    parentPort.postMessage(priorities)
  })`

test.runIf(process.platform === 'linux')('lowers the priority of one thread only', async () => {
  const own = getPriority()
  const worker = new Worker(thread, { eval: true })
  const priorities = await new Promise((resolve, reject) => {
    worker.once('message', resolve).once('error', reject)
  })
  const lower = (steps: number) => Math.min(own + steps, 19)
  expect(priorities).toEqual([own, lower(10), lower(20)])
  expect(getPriority()).toBe(own)
})
