import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  findFineTuned,
  fineTunedFolder,
  listFineTuned,
} from '#synoptic/models/registry/fine-tuned.js'

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'synoptic-fine-tuned-')))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))
const root = join(scratch, 'models', 'fine-tuned')

function writeModel(folder: string): string {
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeFileSync(join(folder, 'config.json'), '{}')
  writeFileSync(join(folder, 'onnx', 'model.onnx'), '')
  return folder
}

const mine = writeModel(join(root, 'mine'))
const nested = writeModel(join(root, 'runs', 'checkpoint-7'))
writeModel(join(root, 'with space & ünïcode'))
writeModel(join(root, '..dots'))
mkdirSync(join(root, 'unfinished'))
writeFileSync(join(root, 'notes.txt'), 'no folder')
mkdirSync(join(root, 'odd', 'config.json'), { recursive: true })
symlinkSync(mine, join(root, 'linked'))
symlinkSync(join(root, 'circle'), join(root, 'circle'))
symlinkSync(join(scratch, 'nowhere'), join(root, 'dangling'))

// Opening what lies outside would hang for ever.
const outside = join(scratch, 'models', 'outside')
mkdirSync(join(outside, 'onnx'), { recursive: true })
for (const file of ['config.json', 'tokenizer.json', 'onnx/model.onnx']) {
  execFileSync('mkfifo', [join(outside, file)])
}
symlinkSync(outside, join(root, 'leads-out'))
symlinkSync(join(scratch, 'models'), join(root, 'leads-up'))
writeModel(join(root, 'weights-outside'))
rmSync(join(root, 'weights-outside', 'onnx', 'model.onnx'))
symlinkSync(
  join(outside, 'onnx', 'model.onnx'),
  join(root, 'weights-outside', 'onnx', 'model.onnx'),
)
writeModel(join(root, 'part-outside'))
symlinkSync(outside, join(root, 'part-outside', '1_Dense'))
mkdirSync(join(root, 'config-outside'))
symlinkSync(join(outside, 'config.json'), join(root, 'config-outside', 'config.json'))
writeModel(`${root}-sibling`)

describe('the list', () => {
  it('has the folders with a config.json, and none that leads out', async () => {
    const listed = await listFineTuned(root)
    expect(listed.map(({ label }) => label)).toEqual([
      '..dots',
      'linked',
      'mine',
      'with space & ünïcode',
    ])
    expect(listed.find(({ label }) => label === 'linked')).toEqual({
      label: 'linked',
      path: join(root, 'linked'),
      folder: mine,
    })
  })

  it('has only what can be found by its label and by its path', async () => {
    for (const model of await listFineTuned(root)) {
      expect(await findFineTuned(model.label, root)).toEqual(model)
      expect(await findFineTuned(model.path, root)).toEqual(model)
    }
  })

  it.each([
    ['no folder', join(scratch, 'nowhere')],
    ['a file', join(root, 'notes.txt')],
    ['a folder named by a zero byte', `${root}\0`],
  ])('is empty where there is %s', async (_, folder) => {
    expect(await listFineTuned(folder)).toEqual([])
    expect(await findFineTuned('mine', folder)).toBeUndefined()
  })
})

describe('a model', () => {
  it.each([
    ['label', 'mine', mine],
    ['label and a slash', 'mine/', mine],
    ['label from here', './mine', mine],
    ['absolute path', mine, mine],
    ['absolute path and a slash', `${mine}/`, mine],
    ['absolute path with doubled slashes', mine.replaceAll('/', '//'), mine],
    ['path below the folder', 'runs/checkpoint-7', nested],
    ['absolute path further below', nested, nested],
    ['link that stays inside', 'linked', mine],
  ])('is found by its %s', async (_, name, folder) => {
    expect(await findFineTuned(name, root)).toMatchObject({ folder })
  })

  it('is found by its path from the working directory', async () => {
    const before = process.cwd()
    process.chdir(scratch)
    try {
      const found = await findFineTuned('models/fine-tuned/mine', join('models', 'fine-tuned'))
      expect(found).toMatchObject({ label: 'mine', path: 'models/fine-tuned/mine', folder: mine })
      expect(await findFineTuned('models/outside', 'models/fine-tuned')).toBeUndefined()
    } finally {
      process.chdir(before)
    }
  })

  it('is found by the path that is listed, though the settings lead upwards', async () => {
    const before = process.cwd()
    process.chdir(join(scratch, 'models', 'outside'))
    try {
      const folder = join('..', 'fine-tuned')
      const [first] = await listFineTuned(folder)
      expect(first?.path).toBe('../fine-tuned/..dots')
      expect(await findFineTuned('../fine-tuned/mine', folder)).toMatchObject({ folder: mine })
      expect(await findFineTuned('../fine-tuned/../outside', folder)).toBeUndefined()
    } finally {
      process.chdir(before)
    }
  })

  it('is found where the folder itself is a link', async () => {
    const link = join(scratch, 'link')
    symlinkSync(root, link)
    expect(await findFineTuned(join(link, 'mine'), link)).toMatchObject({ folder: mine })
    expect(await findFineTuned(mine, link)).toMatchObject({ folder: mine })
    expect(await findFineTuned(join(link, '..', 'outside'), link)).toBeUndefined()
  })

  it.each([
    ['nothing', ''],
    ['a dot', '.'],
    ['two dots', '..'],
    ['the folder itself', root],
    ['the folder itself with a slash', `${root}/`],
    ['steps upwards', '../outside'],
    ['steps upwards and back', '../fine-tuned/mine'],
    ['steps within', 'mine/../mine'],
    ['steps by the other slash', '..\\outside'],
    ['an absolute path with steps', `${root}/../outside`],
    ['an absolute path with steps that stay', `${mine}/../mine`],
    ['an absolute path elsewhere', outside],
    ['the root of all', '/'],
    ['a file of the system', '/etc/passwd'],
    ['a folder whose name begins alike', `${root}-sibling`],
    ['a link that leads out', 'leads-out'],
    ['a path through a link that leads up', 'leads-up/outside'],
    ['a path through a link that leads up and in again', 'leads-up/outside/../fine-tuned/mine'],
    ['an absolute path through a link', join(root, 'leads-out')],
    ['a model whose weights lie outside', 'weights-outside'],
    ['a model of which a part lies outside', 'part-outside'],
    ['a model whose config.json lies outside', 'config-outside'],
    ['a zero byte', 'mine\0'],
    ['a zero byte before more', 'mine\0/../../outside'],
    ['a folder without config.json', 'unfinished'],
    ['a config.json that is a folder', 'odd'],
    ['a file', 'notes.txt'],
    ['a part of a model', 'mine/onnx'],
    ['a link to nothing', 'dangling'],
    ['a link to itself', 'circle'],
    ['an address', 'file:///etc/passwd'],
    ['a label in percent signs', '%2e%2e/outside'],
    ['other case', 'MINE'],
    ['a very long name', 'x/'.repeat(100_000)],
    ['a home folder', '~/mine'],
  ])('is not %s', async (_, name) => {
    expect(await findFineTuned(name, root)).toBeUndefined()
  })
})

describe('the settings', () => {
  it('put a relative folder into that of models, and leave an absolute one', () => {
    const modelsDir = 'models'
    expect(fineTunedFolder({ modelsDir, fineTunedDir: 'fine-tuned' })).toBe('models/fine-tuned')
    const absolute = resolve(scratch)
    expect(fineTunedFolder({ modelsDir, fineTunedDir: absolute })).toBe(absolute)
  })
})
