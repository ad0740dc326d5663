import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHarness, tiny } from './harness.js'

test('a process with an encoder leaves nothing for ONNX Runtime to tell its makers', () => {
  const { modelsDir, write } = openHarness()
  write(tiny)
  const home = join(modelsDir, 'home')
  mkdirSync(home)
  const code = `
    import { createEncoders } from '#synoptic/encoders/encoders.js'
    const encoders = createEncoders({ modelsDir: ${JSON.stringify(modelsDir)}, threads: 1 })
    const encoder = await encoders.get(${JSON.stringify(tiny)})
    await encoder.encode(['alpha'])
    await encoders.close()`
  // Without CI, of which the runtime takes notice.
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home }
  execFileSync(process.execPath, ['--input-type=module', '-e', code], { env })
  expect(readdirSync(home)).toEqual([])
})
