import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ModelLoadError, ModelPullError, UpstreamError } from '#synoptic/base/errors/index.js'
import { checkModel } from '#synoptic/models/tools/check.js'
import { createHub } from '#synoptic/models/tools/hub/hub.js'
import { type PullOptions, pullModel } from '#synoptic/models/tools/pull.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Fault, type TestHub, readFolder, startHub } from '../helpers/hub.js'
import { type TinyModel, writeTinyModel } from '../helpers/tiny-model.js'

const name = 'encoders/all-MiniLM-L12-v1'
const repository = 'sentence-transformers/all-MiniLM-L12-v1'
const network = 'onnx/model.onnx'
const token = 'hf_s3cretOfTheTest'

let folder = ''
let modelsDir = ''
let hub: TestHub
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-pull-'))
  modelsDir = join(folder, 'models')
  hub = await startHub()
})
afterEach(async () => {
  await hub.close()
  rmSync(folder, { recursive: true })
})

/** A model of the dimension that the catalogue expects, among files that nobody needs. */
function publish(model: TinyModel = {}): string {
  const source = join(folder, 'source')
  rmSync(source, { recursive: true, force: true })
  const others = { 'README.md': 'A model.', 'pytorch_model.bin': 'x'.repeat(5000) }
  writeTinyModel(source, { dimension: 384, ...model, files: { ...others, ...model.files } })
  return hub.publish(repository, source)
}

/** Nothing falls silent unless the test says how soon, however busy the machine is. */
const pull = (options: Partial<PullOptions> = {}, hubToken?: string, stallMs = 600_000) =>
  pullModel({
    name,
    modelsDir,
    dtype: 'fp32',
    replace: false,
    firstWaitMs: 1,
    hub: createHub({ endpoint: hub.endpoint, token: hubToken, stallMs }),
    ...options,
  })

const place = () => join(modelsDir, name)
const transfersOf = (path: string) =>
  hub.requests.filter((request) => request.path.includes(path) && request.at === 'storage')

/** Whatever went wrong, there is no model where one would be looked for. */
function expectNothingInstalled(): void {
  expect(existsSync(place())).toBe(false)
}

describe('pull', () => {
  test('fetches what the model needs, of one commit, and installs it', async () => {
    const commit = publish()
    const pulled = await pull()
    expect(pulled).toMatchObject({ name, folder: place(), commit, dimension: 384, maxTokens: 16 })
    const files = readFolder(place())
    expect([...files.keys()].sort()).toEqual([
      '1_Pooling/config.json',
      'modules.json',
      network,
      'sentence_bert_config.json',
      'source.json',
      'tokenizer.json',
      'tokenizer_config.json',
    ])
    expect(files.get(network)).toEqual(readFileSync(join(folder, 'source', network)))
    expect(JSON.parse(String(files.get('source.json')))).toMatchObject({
      repository,
      commit,
      dtype: 'fp32',
      endpoint: hub.endpoint,
    })
    const resolved = hub.requests.filter(({ path }) => path.includes('/resolve/'))
    expect(resolved.every(({ path }) => path.includes(commit))).toBe(true)
    expect(readdirSync(join(modelsDir, 'encoders')).sort()).toEqual([
      '.all-MiniLM-L12-v1.pulling.lock',
      'all-MiniLM-L12-v1',
    ])
  })

  test('fetches the model of other languages as its publisher lays it out', async () => {
    const languages = 'intfloat/multilingual-e5-small'
    const source = join(folder, 'source')
    const others = [
      'model.safetensors',
      'pytorch_model.bin',
      'sentencepiece.bpe.model',
      'onnx/config.json',
      'onnx/model_O4.onnx',
      'onnx/model_qint8_avx512_vnni.onnx',
      'onnx/sentencepiece.bpe.model',
      'onnx/tokenizer.json',
      'onnx/tokenizer_config.json',
    ]
    const files: Record<string, unknown> = { 'special_tokens_map.json': '{}' }
    for (const file of others) files[file] = 'x'
    writeTinyModel(source, { dimension: 384, files })
    hub.publish(languages, source)
    expect(await pull({ name: languages })).toMatchObject({ name: languages, dimension: 384 })
    expect([...readFolder(join(modelsDir, languages)).keys()].sort()).toEqual([
      '1_Pooling/config.json',
      'modules.json',
      network,
      'sentence_bert_config.json',
      'source.json',
      'special_tokens_map.json',
      'tokenizer.json',
      'tokenizer_config.json',
    ])
  })

  test('what is installed stays, until its replacement works', async () => {
    publish()
    const first = await pull()
    expect(await pull()).toMatchObject({ wasThere: true })
    publish({ maxTokens: 9, files: { 'tokenizer.json': '{}' } })
    await expect(pull({ replace: true })).rejects.toThrow(ModelLoadError)
    expect(existsSync(join(place(), 'source.json'))).toBe(true)
    const commit = publish({ maxTokens: 9 })
    expect(await pull({ replace: true })).toMatchObject({ commit, maxTokens: 9 })
    expect(commit).not.toBe(first.commit)
  })

  test('a commit that takes the place of another is reported', async () => {
    const first = publish()
    expect(await pull()).not.toHaveProperty('replacedCommit', expect.anything())
    expect((await pull({ replace: true })).replacedCommit).toBeUndefined()
    const second = publish({ maxTokens: 9 })
    expect(await pull({ replace: true })).toMatchObject({ commit: second, replacedCommit: first })
  })

  test('a commit, a branch; not a revision that is not there', async () => {
    const commit = publish()
    await expect(pull({ revision: 'v9' })).rejects.toThrow(/no such revision/)
    expectNothingInstalled()
    expect(await pull({ revision: commit })).toMatchObject({ commit })
  })

  test('int8 and fp16 where they are published', async () => {
    const source = join(folder, 'source')
    publish()
    const files = readFolder(source)
    const published = process.arch === 'arm64' ? 'model_qint8_arm64' : 'model_quint8_avx2'
    files.set(`onnx/${published}.onnx`, files.get(network) ?? Buffer.alloc(0))
    files.set(network, Buffer.from('the other one'))
    hub.publishFiles(repository, files)
    await expect(pull({ dtype: 'fp16' })).rejects.toThrow(
      /expected onnx\/model_fp16\.onnx or .* for fp16; its repository has .*onnx\/model\.onnx/,
    )
    expectNothingInstalled()
    expect(await pull({ dtype: 'int8' })).toMatchObject({ dimension: 384 })
    expect(readdirSync(join(place(), 'onnx'))).toEqual(['model.onnx'])
    expect(await checkModel(name, modelsDir)).toMatchObject({
      source: { dtype: 'int8' },
      changedFiles: [],
    })
  })

  test('a branch means the commit that it has now, and the record leads back to it', async () => {
    const commit = publish()
    expect(await pull()).toMatchObject({ commit })
    const { source } = await checkModel(name, modelsDir)
    const files = readFolder(place())
    publish({ maxTokens: 9 })
    const again = await pull({ replace: true, revision: source?.commit })
    expect(again).toMatchObject({ commit, maxTokens: 16 })
    expect(readFolder(place())).toEqual(files)
  })

  test('external data, weights of a Dense and a transformer in a folder of its own come along', async () => {
    const files = new Map<string, Buffer>()
    publish()
    for (const [path, content] of readFolder(join(folder, 'source'))) {
      const isRoot = ['modules.json', '1_Pooling/config.json', 'README.md'].includes(path)
      files.set(isRoot ? path : `0_Transformer/${path}`, content)
    }
    const modules = ['Transformer', 'Pooling', 'Dense'].map((kind, idx) => ({
      idx,
      path: `${idx}_${kind}`,
      type: `sentence_transformers.models.${kind}`,
    }))
    files.set('modules.json', Buffer.from(JSON.stringify(modules)))
    files.set('0_Transformer/onnx/model.onnx_data', Buffer.from('weights'))
    files.set('2_Dense/config.json', Buffer.from('{"in_features": 384, "out_features": 384}'))
    files.set('2_Dense/pytorch_model.bin', Buffer.from('weights'))
    files.set('2_Dense/model.safetensors', Buffer.from('weights'))
    hub.publishFiles(repository, files)
    await expect(pull()).rejects.toThrow(ModelLoadError)
    const fetched = readFolder(join(modelsDir, 'encoders', '.all-MiniLM-L12-v1.pulling'))
    expect(fetched.has('0_Transformer/onnx/model.onnx_data')).toBe(true)
    expect(fetched.has('2_Dense/model.safetensors')).toBe(true)
    expect(fetched.has('2_Dense/pytorch_model.bin')).toBe(false)
    expectNothingInstalled()
  })

  test('the token goes to the hub, and never to the host of the large files', async () => {
    publish()
    hub.protect(repository, token)
    await expect(pull()).rejects.toThrow(/private and HF_TOKEN has to be set/)
    await expect(pull({}, 'hf_wrong')).rejects.toThrow(/expected a valid HF_TOKEN/)
    hub.protect(repository, token, 403)
    await expect(pull()).rejects.toThrow(/only for some accounts/)
    await expect(pull({}, 'hf_wrong')).rejects.toThrow(/account of HF_TOKEN may not read it/)
    expectNothingInstalled()
    await pull({}, token)
    const stored = hub.requests.filter(({ at }) => at === 'storage')
    expect(stored.length).toBeGreaterThan(0)
    expect(stored.every(({ authorization }) => authorization === undefined)).toBe(true)
    for (const [path, content] of readFolder(modelsDir)) {
      expect(content.includes(token), path).toBe(false)
    }
  })
})

describe('transfers', () => {
  const size = () => readFileSync(join(folder, 'source', network)).length

  test('one that breaks goes on where it was, as often as it comes further', async () => {
    publish()
    const breaks = Array.from({ length: 8 }, (): Fault => ({ kind: 'break', after: 1000 }))
    hub.fail(network, ...breaks)
    const problems: string[] = []
    await pull({ onRetry: (problem) => problems.push(problem) })
    expect(problems.length).toBe(8)
    const ranges = transfersOf(network).map(({ range }) => range)
    expect(ranges[0]).toBeUndefined()
    expect(ranges.slice(1).every((range) => /^bytes=\d+-$/.test(range ?? ''))).toBe(true)
    expect(readFileSync(join(place(), network)).length).toBe(size())
  })

  test('one that falls silent counts as broken', async () => {
    publish()
    hub.fail(network, { kind: 'stall', after: 1000 })
    const problems: string[] = []
    await pull({ onRetry: (problem) => problems.push(problem) }, undefined, 500)
    // More than one where the test itself stood still.
    expect(problems).not.toEqual([])
    for (const problem of problems) expect(problem).toMatch(/sent nothing for 0\.5 s/)
  })

  test('a server that knows no ranges sends all of it again', async () => {
    publish()
    hub.fail(network, { kind: 'break', after: 1000 }, { kind: 'no range' })
    await pull()
    expect(readFileSync(join(place(), network)).length).toBe(size())
  })

  test('a pull that was stopped goes on, with what was whole and what was not', async () => {
    publish()
    hub.fail(network, { kind: 'stall', after: 1000 })
    const controller = new AbortController()
    const onProgress = ({ file }: { file: string }) => {
      if (file === network) controller.abort(new Error('stopped'))
    }
    await expect(pull({ signal: controller.signal, onProgress })).rejects.toThrow('stopped')
    expectNothingInstalled()
    const before = hub.requests.length
    await pull()
    const downloads = hub.requests.slice(before).filter(({ path }) => !path.startsWith('/api/'))
    expect(downloads.every(({ path }) => path.includes(network))).toBe(true)
  })

  test('what an earlier pull left of another file is found out and fetched again', async () => {
    publish()
    hub.fail(network, { kind: 'status', status: 404 })
    await expect(pull()).rejects.toThrow(UpstreamError)
    const partial = join(modelsDir, 'encoders', '.all-MiniLM-L12-v1.pulling', `${network}.partial`)
    writeFileSync(partial, Buffer.alloc(2000, 7))
    await pull()
    expect(transfersOf(network).map(({ range }) => range)).toEqual([
      undefined,
      'bytes=2000-',
      undefined,
    ])
  })

  test('waits as long as the hub requires, and not for hours', async () => {
    publish()
    const busy = (seconds: string): Fault => ({
      kind: 'status',
      status: 429,
      headers: { 'retry-after': seconds },
    })
    hub.fail('listing', busy('1'))
    const waits: number[] = []
    await pull({ onRetry: (_, waitMs) => waits.push(waitMs) })
    expect(waits).toEqual([1000])
    hub.fail(network, busy('3600'))
    rmSync(place(), { recursive: true })
    await expect(pull()).rejects.toThrow(/\(429\): too many requests, again after 3600 s/)
    expectNothingInstalled()
  })

  test('a fault of the hub that passes is waited for, one that stays is reported', async () => {
    publish()
    const broken = Array.from({ length: 5 }, (): Fault => ({ kind: 'status', status: 503 }))
    hub.fail(network, ...broken)
    await expect(pull()).rejects.toThrow(/refused onnx\/model\.onnx of .* \(503\)/)
    expectNothingInstalled()
    hub.fail(network, ...broken.slice(0, 3))
    await pull()
  })

  test.each<[string, string, Fault, RegExp]>([
    ['a large file', network, { kind: 'corrupt' }, /onnx\/model\.onnx of .*: expected sha256 /],
    ['a small file', 'tokenizer.json', { kind: 'corrupt' }, /tokenizer\.json of .*: expected git /],
  ])('%s whose bytes changed on the way is refused', async (_, path, fault, problem) => {
    publish()
    hub.fail(path, fault)
    await expect(pull()).rejects.toThrow(problem)
    expectNothingInstalled()
    expect(await pull()).toMatchObject({ dimension: 384 })
  })

  test('hashes and sizes come with the files where the listing has none', async () => {
    publish()
    hub.tamper(({ sha, siblings }) => ({
      sha,
      siblings: siblings.map(({ rfilename }) => ({ rfilename })),
    }))
    hub.fail(network, { kind: 'corrupt' })
    await expect(pull()).rejects.toThrow(/expected sha256/)
    expect(await pull()).toMatchObject({ dimension: 384 })
  })

  test('a disk that is full is reported, and the pull goes on when there is room', async ({
    skip,
  }) => {
    publish()
    mkdirSync(modelsDir)
    const mount = (options: string) =>
      spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'synoptic', modelsDir]).status === 0
    if (!mount('size=16k')) skip('mounting a small tmpfs is not allowed here')
    try {
      // Where the hub states sizes, too little room is reported before the first byte.
      hub.tamper(({ sha, siblings }) => ({
        sha,
        siblings: siblings.map(({ rfilename }) => ({ rfilename })),
      }))
      await expect(pull()).rejects.toThrow(/the disk is full \(ENOSPC\); make room, and the same/)
      expectNothingInstalled()
      mount('remount,size=1m')
      expect(await pull()).toMatchObject({ dimension: 384 })
    } finally {
      spawnSync('umount', [modelsDir])
    }
  })

  test('a hub that nobody reaches', async () => {
    publish()
    await hub.close()
    await expect(pull()).rejects.toThrow(
      /the connection to 127\.0\.0\.1:\d+ failed: nothing listens there.*\(ECONNREFUSED\)/,
    )
    expectNothingInstalled()
  })
})

describe('is refused', () => {
  test.each<[string, () => Partial<PullOptions>, RegExp]>([
    ['a model that no hub has', () => ({ name: 'fine_tuned_sbert_anime_model' }), /models add/],
    ['what ships', () => ({ name: 'builtin/static-en' }), /ships with the program/],
    ['a name that nobody knows', () => ({ name: 'mine' }), /"mine"/],
    ['a repository that is not there', () => ({ name: 'community/anime' }), /no such repository/],
  ])('%s', async (_, options, problem) => {
    publish()
    await expect(pull(options())).rejects.toThrow(problem)
    expectNothingInstalled()
  })

  test.each<[string, Record<string, unknown>, RegExp]>([
    [
      'without an ONNX file',
      { [network]: null },
      /onnx\/model\.onnx .* has no ONNX file, which `synoptic models export encoders\/all-MiniLM-L12-v1`/,
    ],
    ['without modules.json', { 'modules.json': null }, /expected a modules\.json/],
    ['without a tokenizer', { 'tokenizer.json': null }, /expected a tokenizer\.json/],
    ['whose modules.json is none', { 'modules.json': '[' }, /modules\.json: file: /],
    [
      'whose modules lie outside',
      { 'modules.json': [{ idx: 0, path: '../../x', type: 'a.Transformer' }] },
      /expected a folder of the repository/,
    ],
    ['whose network is none', { [network]: 'no network' }, /cannot be loaded/],
  ])('a repository %s', async (_, files, problem) => {
    publish({ files })
    await expect(pull()).rejects.toThrow(problem)
    expectNothingInstalled()
  })

  test('a model of another dimension than its name promises', async () => {
    publish({ dimension: 12 })
    const pulling = pull()
    await expect(pulling).rejects.toThrow(ModelPullError)
    await expect(pulling).rejects.toThrow(/expected vectors of 384 dimensions, the model has 12/)
    expectNothingInstalled()
  })

  test('a file that would be written outside, and one that no disk has room for', async () => {
    publish()
    hub.tamper((listing) => {
      const [first] = listing.siblings
      const outside = 'onnx/model.onnx_/../../../../../escaped'
      return { ...listing, siblings: [...listing.siblings, { ...first, rfilename: outside }] }
    })
    await pull()
    expect([...readFolder(folder).keys()].some((path) => path.includes('escaped'))).toBe(false)
    rmSync(place(), { recursive: true })
    hub.tamper(({ sha, siblings }) => ({
      sha,
      siblings: siblings.map((file) => ({
        ...file,
        lfs: file.lfs && { ...file.lfs, size: 2 ** 52 },
      })),
    }))
    await expect(pull()).rejects.toThrow(/expected \d+ MB free in .*, found \d+ MB; --models-dir/)
    expectNothingInstalled()
  })

  test.each<[string, unknown]>([
    ['no JSON object', 'hello'],
    ['no commit', { siblings: [] }],
    ['a hash of another length', { sha: 'main', siblings: [] }],
  ])('a listing that is %s', async (_, listing) => {
    publish()
    hub.tamper(() => listing)
    await expect(pull()).rejects.toThrow(/answered no listing of/)
    expectNothingInstalled()
  })
})
