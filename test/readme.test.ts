/** The responses that README.md prints are those that a server gives, but for times. */
import { expect, it } from 'vitest'
import { readmeExamples, responseTo, withoutTimes } from '../tools/readme-responses.js'
import { worksServer } from './serve/sample.js'

const examples = readmeExamples()
const server = await worksServer()

it('shows requests with responses', () => {
  expect(examples.length).toBeGreaterThan(0)
})

it.each(examples)('POST $path is answered as printed', async (example) => {
  const printed = withoutTimes(JSON.parse(example.printed))
  expect(withoutTimes(await responseTo(server.origin, example))).toEqual(printed)
})
