/** A build that was stopped and went on writes the same bits as one that ran through, for every built-in model. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createNamedEncoders } from '../helpers/named-encoders.js'
import { builtinModel, builtinTransformer } from '#synoptic/models/registry/registry.js'
import { resolveModel } from '#synoptic/models/registry/resolve-model.js'
import { expect, test } from 'vitest'
import { columns, openWorkshop } from './workshop.js'

/** Of all lengths, so that batches differ with where a build begins. */
const texts = Array.from({ length: 100 }, (_, row) =>
  columns.map((name, column) =>
    `The ${name} of work ${row}: two brothers look for a stone, and ${row * 7 + column} robots go to school. `.repeat(
      1 + ((row * 5 + column) % 4),
    ),
  ),
)

test.each([builtinModel, builtinTransformer])('%s', async (name) => {
  const encoders = createNamedEncoders({ modelsDir: 'models', threads: 2 })
  try {
    const encoder = await encoders.get(name)
    const { folder: modelFolder } = resolveModel(name, { modelsDir: 'models' })
    const { build, folder } = openWorkshop(texts)
    const whole = join(folder, 'whole')
    const resumed = join(folder, 'resumed')
    const { columns: expected, texts: count } = await build({
      encoder,
      modelFolder,
      embeddingsDir: whole,
    })
    const stopping = new AbortController()
    const stopped = build({
      encoder,
      modelFolder,
      embeddingsDir: resumed,
      signal: stopping.signal,
      onProgress(progress) {
        if (progress.phase === 'encode') stopping.abort(new Error('enough'))
      },
    })
    await expect(stopped).rejects.toThrow('enough')
    const { columns: written, encoded } = await build({
      encoder,
      modelFolder,
      embeddingsDir: resumed,
    })
    expect(encoded).toBeGreaterThan(0)
    expect(encoded).toBeLessThan(count)
    for (const [i, { path }] of written.entries()) {
      expect(readFileSync(path).equals(readFileSync(expected[i]?.path ?? ''))).toBe(true)
    }
  } finally {
    await encoders.close()
  }
})
