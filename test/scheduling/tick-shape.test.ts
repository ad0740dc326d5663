/** V8 itself tells in its log when it makes a shape. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const module = import.meta.resolve('#synoptic/scheduling/tick-shape.js')
const folder = mkdtempSync(join(tmpdir(), 'synoptic-tick-shape-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** How often a process made the shape of its ticks that collected its garbage so often in between. */
function shapesMade(collections: number, { isKept }: { readonly isKept: boolean }): number {
  const program = `
    import { setTimeout as sleep } from 'node:timers/promises'
    import { keepTickShape } from ${JSON.stringify(module)}
    const ticks = async () => {
      for (let i = 0; i < 3000; i++) await new Promise((done) => process.nextTick(done, i))
    }
    if (${isKept}) keepTickShape()
    await ticks()
    for (let i = 0; i < ${collections}; i++) {
      // No tick is under way where a timer collects.
      await sleep(10)
      await new Promise((done) => setTimeout(() => done(gc()), 10))
      await ticks()
    }`
  const log = join(folder, 'v8.log')
  const flags = ['--expose-gc', '--log-maps', '--no-logfile-per-isolate', `--logfile=${log}`]
  execFileSync(process.execPath, [...flags, '--input-type=module', '-e', program])
  const made = /^map,Transition.*symbol\("trigger_async_id_symbol/gm
  return readFileSync(log, 'latin1').match(made)?.length ?? 0
}

describe('the shape of a tick', () => {
  it('outlives a collection of garbage where one is kept, and does not otherwise', () => {
    const isKept = true
    expect(shapesMade(3, { isKept })).toBe(shapesMade(0, { isKept }))
    expect(shapesMade(3, { isKept: false })).toBeGreaterThan(shapesMade(0, { isKept: false }))
  })
})
