/** Commands about models, in the situation that prints them. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveModel } from '#synoptic/models/registry/resolve-model.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { writeTinyModel } from '../helpers/tiny-model.js'
import { at, call, commandsIn, follow, hub, nightly, scratch, shell } from './scene.js'

const model = 'encoders/all-MiniLM-L12-v1'
const repository = 'sentence-transformers/all-MiniLM-L12-v1'
beforeAll(() => {
  writeTinyModel(join(scratch, 'tiny'), { dimension: 384 })
  hub.publish(repository, join(scratch, 'tiny'))
})

describe('a command about models that is printed runs', () => {
  // Covers base/errors/ModelNotInstalledError, cli/models-pull.ts, cli/models-list.ts.
  it('where a model is not installed, to its embeddings', nightly, async () => {
    const { code, text } = await call(`embed build --model ${model}`)
    expect(code).toBe(1)
    // Two ways: each in a place where nothing is installed.
    const [pull = '', add = ''] = commandsIn(text, { FOLDER: `'${join(scratch, 'tiny')}'` })
    for (const command of [pull, add]) {
      const installed = await shell(command)
      expect(installed.code, `${command}\n${installed.text}`).toBe(0)
      await follow(installed.text)
      rmSync(at('models'), { recursive: true })
    }
  })

  // Covers cli/model-name.ts.
  it('for a model of a name that nobody knows', nightly, async () => {
    const { code, text } = await call('embed build --model mine/model')
    expect(code).toBe(2)
    await follow(text, { FOLDER: `'${join(scratch, 'tiny')}'`, NAME: 'mine/model' })
  })

  // Covers models/tools/pull.ts.
  it('for a model that no hub has', nightly, async () => {
    const { code, text } = await call('models pull encoders/fine_tuned_sbert_anime_model')
    expect(code, text).toBe(1)
    writeTinyModel(join(scratch, 'fine'), { dimension: 768 })
    await follow(text, { FOLDER: `'${join(scratch, 'fine')}'` })
  })

  // Covers cli/models-check.ts.
  it('where a file of a model has changed', nightly, async () => {
    expect(await call(`models pull ${model}`)).toMatchObject({ code: 0 })
    writeFileSync(at('models', model, 'tokenizer_config.json'), '{ "pad_token": "[PAD]" }')
    const { code, text } = await call(`models check ${model}`)
    expect(code, text).toBe(1)
    await follow(text)
    expect(await call(`models check ${model}`)).toMatchObject({ code: 0 })
  })

  // Covers search/ranking/search-encoder.ts.
  it('where the encoder of /search is not installed', nightly, async () => {
    const known = 'encoders/all-MiniLM-L6-v2'
    const { revision } = resolveModel(known, { modelsDir: 'models' })
    hub.publish('sentence-transformers/all-MiniLM-L6-v2', join(scratch, 'tiny'), revision)
    const { code, text } = await call(`serve --port 0 --search-encoder ${known}`)
    expect(code).toBe(2)
    const [pulled] = await follow(text)
    await follow(pulled?.text ?? '')
  })
})
