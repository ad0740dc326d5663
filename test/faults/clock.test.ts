import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { ask, deathNote } from '../serve/child.js'
import { startLoad, until } from '../serve/load.js'
import { logOf, openScene } from './scene.js'

const settable = ['--import', fileURLToPath(new URL('set-clock.js', import.meta.url))]
/** Of each line of a request, in milliseconds. */
const timesOf = (log: string) =>
  [...log.matchAll(/"time":"([^"]+)".*"msg":"request"/g)].map(([, time = '']) => Date.parse(time))

it('a clock that is set fails nothing: neither requests, nor deadlines, nor the pace', async () => {
  const server = await openScene(
    ['--rate-limit', 'searchmodel=5', '--rate-limit-loopback', '--idle-timeout', '60'],
    settable,
  )
  const load = startLoad(server.origin, 2)
  const answered = () => load.outcomes.get('200') ?? 0
  for (let jump = 0; jump < 3; jump++) {
    const before = answered()
    await until(() => answered() > before + 2)
    server.child.kill('SIGUSR2')
  }
  const before = answered()
  await until(() => answered() > before + 2)
  // What is over the pace is refused still, and nothing else happens.
  await until(() => load.outcomes.has('429'))
  expect(Object.keys(await load.stop()).sort()).toEqual(['200', '429'])
  await until(async () => (await ask(server.origin, deathNote)).status === 200)
  expect(await server.stop()).toBe(0)
  const times = timesOf(logOf(server))
  const jumpsMs = times.map((time, i) => time - (times[i - 1] ?? time))
  expect(Math.max(...jumpsMs)).toBeGreaterThan(3_000_000)
  expect(Math.min(...jumpsMs)).toBeLessThan(-3_000_000)
  expect(logOf(server)).not.toMatch(/"level":(40|50|60)/)
})
