import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHarness, tiny } from './harness.js'

/** Runs a process that has an encoder; answers what it prints and what its home folder then holds. */
function run(code: string, flags: readonly string[] = []) {
  const { modelsDir, write } = openHarness()
  write(tiny)
  const home = join(modelsDir, 'home')
  mkdirSync(home)
  const whole = `
    import { createEncoders } from '#synoptic/models/residency/encoders.js'
    import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
    const model = requireInstalled(${JSON.stringify(tiny)}, { modelsDir: ${JSON.stringify(modelsDir)} })
    const encoders = createEncoders({ threads: 1 })
    const encoder = await encoders.get(model)
    ${code}
    await encoders.close()`
  // Without the variable CI, which the runtime reads.
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home }
  const args = [...flags, '--input-type=module', '-e', whole]
  const printed = execFileSync(process.execPath, args, { env, encoding: 'utf8' })
  return { printed, left: readdirSync(home) }
}

test('a process with an encoder leaves nothing for ONNX Runtime to tell its makers', () => {
  expect(run(`await encoder.encode(['alpha'])`).left).toEqual([])
})

test('threads that end as soon as they are ready are known to be gone', () => {
  const code = `
    for (let isEncoded = false; !isEncoded; ) {
      await encoder.encode(['alpha']).then(
        ({ vectors }) => (isEncoded = vectors.length === encoder.dimension),
        ({ reason, message }) => console.log(reason, message),
      )
    }`
  const preload = new URL('die-when-ready.js', import.meta.url)
  const { printed } = run(code, ['--import', preload.href])
  const failed = `failed The encoder of ${tiny} stopped: its worker thread ended with exit code 1\n`
  // Once, or twice where the first death was heard a turn after its last word.
  expect([failed, failed + failed]).toContain(printed)
})
