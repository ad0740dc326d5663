import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ModelAddError, ModelLoadError } from '#synoptic/base/errors/index.js'
import { addModel } from '#synoptic/models/tools/add.js'
import { resolveCrossEncoder } from '#synoptic/models/registry/cross-encoders.js'
import { copyModel, fixtures } from '../encoders/cross-models.js'

let modelsDir = ''
beforeEach(() => (modelsDir = mkdtempSync(join(tmpdir(), 'synoptic-add-'))))
afterEach(() => rmSync(modelsDir, { recursive: true }))

const name = 'cross-encoder/ms-marco-MiniLM-L-6-v2'
const add = (path: string, as = name, changes: { copy?: boolean; replace?: boolean } = {}) =>
  addModel({ path, name: as, modelsDir, copy: false, replace: false, ...changes })

describe('adding a cross-encoder', () => {
  it.each([name, 'ms-marco-MiniLM-L6-v2'])('%s: links the folder under its name', async (as) => {
    const folder = join(modelsDir, name)
    expect(await add(join(fixtures, 'bert'), as)).toEqual({
      name,
      folder,
      dimension: undefined,
      maxTokens: 64,
    })
    expect(lstatSync(folder).isSymbolicLink()).toBe(true)
    const fineTunedDir = join(modelsDir, 'fine-tuned')
    expect(await resolveCrossEncoder(as, { modelsDir, fineTunedDir })).toMatchObject({ folder })
  })

  it('copies, and takes the place of another', async () => {
    await add(join(fixtures, 'bert'))
    await expect(add(join(fixtures, 'xlm-roberta'))).rejects.toThrow('--replace replaces it')
    await add(join(fixtures, 'xlm-roberta'), name, { copy: true, replace: true })
    expect(lstatSync(join(modelsDir, name)).isDirectory()).toBe(true)
  })

  it.each([
    ['the built-in ranker', 'builtin/maxsim-en', () => join(fixtures, 'bert'), ModelAddError],
    ['several labels', name, () => join(fixtures, 'bert-three-labels'), ModelAddError],
    ['no folder', name, () => join(fixtures, 'nowhere'), ModelAddError],
    ['a folder without a model', name, () => fixtures, ModelLoadError],
    ['a broken network', name, () => copyModel('bert', { 'onnx/model.onnx': '-' }), ModelLoadError],
    ['a bi-encoder under its name', name, biEncoder, ModelLoadError],
    [
      'a cross-encoder as another',
      'encoders/gtr-t5-xl',
      () => join(fixtures, 'bert'),
      ModelLoadError,
    ],
  ])('refuses %s and changes nothing', async (_, as, path, kind) => {
    await expect(add(path(), as)).rejects.toThrow(kind)
    expect(readdirSync(modelsDir).filter((entry) => entry !== 'bi')).toEqual([])
  })

  function biEncoder() {
    const folder = join(modelsDir, 'bi')
    mkdirSync(folder)
    writeFileSync(join(folder, 'config.json'), '{}')
    const types = ['Transformer', 'Pooling']
    const modules = types.map((type, i) => {
      return { path: i === 0 ? '' : '1_Pooling', type: `sentence_transformers.models.${type}` }
    })
    writeFileSync(join(folder, 'modules.json'), JSON.stringify(modules))
    return folder
  }
})
