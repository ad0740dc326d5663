import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { withBuildLock } from '#synoptic/base/util/build-lock.js'
import type { BuildProgress } from '#synoptic/data/embed/build.js'
import { DatasetMissingError, EmbeddingsBusyError } from '#synoptic/base/errors/index.js'
import { openCollection } from '#synoptic/native/addon/index.js'
import { describe, expect, test } from 'vitest'
import { tinyTableWith } from '../helpers/tiny-model.js'
import {
  columns,
  expectedRows,
  manyTexts,
  model,
  openWorkshop,
  readNpy,
  someTexts,
} from './workshop.js'

/** What a build says of texts and matrices; how far the codes are depends on the clock. */
function watchEncoding() {
  const seen: BuildProgress[] = []
  const onProgress = (progress: BuildProgress) => {
    if (progress.phase !== 'codes') seen.push(progress)
  }
  return { seen, onProgress }
}

describe('a build', () => {
  test('writes a row an entry and a file a column; blank texts are zero', async () => {
    const { build, encoders, paths } = openWorkshop()
    const result = await build()
    const encoder = await encoders.get(model)
    expect(result.columns.map(({ path }) => basename(path))).toEqual([
      'synopsis.npy',
      'Synopsis_other_Dataset.npy',
    ])
    for (const [i, { path }] of result.columns.entries()) {
      const { rows, dimension, values } = readNpy(path)
      expect({ rows, dimension }).toEqual({ rows: 5, dimension: 4 })
      expect(values).toEqual(await expectedRows(encoder, someTexts, i))
    }
    expect(existsSync(paths().building)).toBe(false)
  })

  test('encodes each text once, however often it occurs', async () => {
    const { build } = openWorkshop()
    expect(await build()).toMatchObject({ texts: 5, encoded: 5, truncated: 0 })
  })

  test.each([
    ['NaN', NaN],
    ['zeros alone', 0],
  ])('fails where the model gives %s for some texts, and names them', async (_, value) => {
    const { build, writeModel, paths } = openWorkshop([['alpha'], ['gamma'], ['beta']])
    const silent = ['gamma', ...(value === 0 ? ['[CLS]', '[SEP]'] : [])]
    writeModel({ graph: { table: tinyTableWith(silent, value) } })
    await expect(build()).rejects.toThrow(
      'NaN, infinity or zeros alone for anime 2 (Entry 2), synopsis',
    )
    expect(existsSync(paths().manifest)).toBe(false)
  })

  test('is served by the native core', async () => {
    const { build, encoders } = openWorkshop()
    const { columns: files } = await build()
    const collection = await openCollection({ columns: files })
    const { vectors } = await (await encoders.get(model)).encode(['eta theta'])
    const answer = await collection.search(vectors, 1, 1)
    expect([answer.rows[0], answer.columns[0]]).toEqual([4, 1])
    expect(answer.scores[0]).toBeCloseTo(1, 6)
    expect(collection.stats().validVectors).toEqual([4, 3])
    collection.close()
  })

  test('says in its manifest what it was made of', async () => {
    const { build, dataset, paths, query } = openWorkshop()
    await build()
    const manifest = JSON.parse(readFileSync(paths().manifest, 'utf8')) as Record<string, unknown>
    const { revision } = await query()
    expect(manifest).toMatchObject({
      format: 1,
      dataset: 'anime',
      datasetVersion: dataset.version,
      model,
      modelRevision: revision,
      pooling: ['mean'],
      maxTokens: 16,
      dimension: 4,
      rows: 5,
      columns: [
        { name: columns[0], file: 'synopsis.npy', texts: 4 },
        { name: columns[1], file: 'Synopsis_other_Dataset.npy', texts: 3 },
      ],
    })
    expect(manifest.builder).toMatch(/^synoptic \d+\.\d+\.\d+/)
  })

  test('reports what it does, and which texts were cut', async () => {
    const { build } = openWorkshop([['alpha '.repeat(40), 'beta']])
    const { seen, onProgress } = watchEncoding()
    const result = await build({ onProgress })
    expect(result.truncated).toBe(1)
    expect(seen).toEqual([
      { phase: 'encode', done: 2, total: 2, share: 1 },
      { phase: 'write', column: columns[0], texts: 1 },
      { phase: 'write', column: columns[1], texts: 1 },
    ])
  })

  test('different columns never share a file', async () => {
    const names = ['a b', 'a_b', 'A B', '../a b', 'ä/b', '.hidden']
    const { build, paths, setTexts } = openWorkshop()
    setTexts([names.map(() => 'alpha')], names)
    await build()
    const files = paths().columns.map(({ path }) => basename(path))
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(names.length)
    expect(readdirSync(paths().folder)).toEqual(expect.arrayContaining(files))
  })

  test('a column whose name is too long for a file system gets a shorter file, always the same', async () => {
    const name = '物'.repeat(100)
    const other = `${'物'.repeat(99)}語`
    const { build, paths, setTexts } = openWorkshop()
    setTexts([['alpha', 'beta', 'gamma']], [name, other, 'synopsis'])
    await build()
    const files = paths().columns.map(({ path }) => basename(path))
    expect(new Set(files).size).toBe(3)
    for (const file of files) expect(Buffer.byteLength(`${file}.q8.aside`)).toBeLessThan(255)
    expect(readdirSync(paths().folder)).toEqual(expect.arrayContaining(files))
    setTexts([['alpha', 'beta']], [other, name])
    const [second, first] = paths().columns.map(({ path }) => basename(path))
    expect([first, second]).toEqual(files.slice(0, 2))
    expect((await build()).encoded).toBe(0)
  })

  test('of a dataset without entries', async () => {
    const { build } = openWorkshop([])
    const { columns: files } = await build()
    expect(readNpy(files[0]?.path ?? '')).toMatchObject({ rows: 0, dimension: 4 })
  })
})

describe('a second build', () => {
  test('does nothing where nothing changed', async () => {
    const { build, paths } = openWorkshop()
    const first = await build()
    const before = readFileSync(paths().manifest)
    const { seen, onProgress } = watchEncoding()
    const second = await build({ onProgress })
    expect(second).toMatchObject({ texts: 5, encoded: 0 })
    expect(second.columns).toEqual(first.columns)
    expect(seen).toEqual([])
    expect(readFileSync(paths().manifest)).toEqual(before)
  })

  test('encodes only texts that changed, wherever the others went', async () => {
    const { build, encoders, setTexts } = openWorkshop()
    await build()
    const changed = [
      ['theta', 'alpha beta'],
      ...someTexts.slice(1, 4),
      ['gamma', null],
      ['beta', 'eta theta'],
    ]
    setTexts(changed)
    const result = await build()
    expect(result).toMatchObject({ texts: 6, encoded: 1 })
    const encoder = await encoders.get(model)
    for (const [i, { path }] of result.columns.entries()) {
      expect(readNpy(path).values).toEqual(await expectedRows(encoder, changed, i))
    }
  })

  test('takes away the file of a column that is gone', async () => {
    const { build, paths, setTexts } = openWorkshop()
    await build()
    setTexts(
      someTexts.map(([first]) => [first ?? null]),
      ['synopsis'],
    )
    expect((await build()).encoded).toBe(0)
    expect(readdirSync(paths().folder).filter((name) => name.endsWith('.npy'))).toEqual([
      'synopsis.npy',
    ])
  })

  test('encodes everything when forced, or when the model is another', async () => {
    const { build, encoders, writeModel } = openWorkshop()
    await build()
    expect((await build({ force: true })).encoded).toBe(5)
    await encoders.release(model)
    writeModel({ files: { '1_Pooling/config.json': { pooling_mode: 'cls' } } })
    const { encoded, manifest } = await build()
    expect({ encoded, pooling: manifest.pooling }).toEqual({ encoded: 5, pooling: ['cls'] })
  })

  test('does not take vectors from a damaged file', async () => {
    const { build, encoders, paths, setTexts } = openWorkshop(manyTexts(50))
    await build()
    const [first] = paths().columns
    const bytes = readFileSync(first?.path ?? '')
    bytes.fill(7, 200, 300)
    writeFileSync(first?.path ?? '', bytes)
    setTexts([...manyTexts(50), ['alpha', 'beta']])
    const { encoded, columns: files } = await build()
    expect(encoded).toBe(52)
    const expected = await expectedRows(await encoders.get(model), manyTexts(50), 0)
    expect(readNpy(files[0]?.path ?? '').values.slice(0, 200)).toEqual(expected)
  })

  test.each(['{', '{"format": 2}', ''])('mends a manifest that says %j', async (content) => {
    const { build, paths } = openWorkshop()
    await build()
    writeFileSync(paths().manifest, content)
    expect((await build()).encoded).toBe(5)
    expect((await build()).encoded).toBe(0)
  })
})

describe('a build that ends early', () => {
  test('by abort: the next goes on, and what was served stays until then', async () => {
    const { build, encoders, paths, setTexts } = openWorkshop()
    await build()
    const before = readFileSync(paths().manifest)
    setTexts(manyTexts(1000))
    const controller = new AbortController()
    let done = 0
    const stopped = build({
      signal: controller.signal,
      onProgress: (progress) => {
        if (progress.phase === 'encode') done = progress.done
        if (done >= 500) controller.abort(new Error('enough'))
      },
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(readFileSync(paths().manifest)).toEqual(before)
    const { texts, encoded, columns: files } = await build()
    expect(encoded).toBeLessThanOrEqual(texts - 500)
    const expected = await expectedRows(await encoders.get(model), manyTexts(1000), 1)
    expect(readNpy(files[1]?.path ?? '').values).toEqual(expected)
  })

  test('by kill -9: the next goes on', async () => {
    const { build, encoders, folder, embeddingsDir, modelFolder, paths } = openWorkshop(
      manyTexts(1000),
    )
    const script = `
      import { openCatalogue } from '#synoptic/data/catalogue/open-catalogue.js'
      import { buildEmbeddings } from '#synoptic/data/embed/build.js'
      import { createEncoders } from '#synoptic/models/residency/encoders.js'
      import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
      const [folder, modelFolder, embeddingsDir] = ${JSON.stringify([folder, modelFolder, embeddingsDir])}
      const encoder = await createEncoders().get(requireInstalled('${model}', { modelsDir: folder + '/models' }))
      await buildEmbeddings({
        catalogue: openCatalogue(folder + '/catalogue.sqlite'),
        encoder, modelFolder, embeddingsDir, dataset: 'anime',
        onProgress: ({ done }) => done >= 300 && process.kill(process.pid, 'SIGKILL'),
      })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: 'inherit',
    })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    expect(existsSync(paths().manifest)).toBe(false)
    const { texts, encoded, columns: files } = await build()
    expect(encoded).toBeGreaterThan(0)
    expect(encoded).toBeLessThan(texts)
    const expected = await expectedRows(await encoders.get(model), manyTexts(1000), 0)
    expect(readNpy(files[0]?.path ?? '').values).toEqual(expected)
  })

  test('in the middle of its publication: the next completes it', async () => {
    const { build, encoders, paths } = openWorkshop()
    const { columns: files } = await build()
    const { building, manifest, hashes } = paths()
    mkdirSync(building)
    for (const path of [files[1]?.path ?? '', hashes, manifest]) {
      renameSync(path, join(building, basename(path)))
    }
    expect(await build()).toMatchObject({ encoded: 0, columns: files })
    const expected = await expectedRows(await encoders.get(model), someTexts, 1)
    expect(readNpy(files[1]?.path ?? '').values).toEqual(expected)
  })

  test('and whose model is another by then: its vectors are not taken', async () => {
    const { build, encoders, writeModel } = openWorkshop(manyTexts(1000))
    const controller = new AbortController()
    const stopped = build({
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
    await encoders.release(model)
    writeModel({ files: { '1_Pooling/config.json': { pooling_mode: 'cls' } } })
    const { texts, encoded, columns: files } = await build()
    expect(encoded).toBe(texts)
    const expected = await expectedRows(await encoders.get(model), manyTexts(1000), 1)
    expect(readNpy(files[1]?.path ?? '').values).toEqual(expected)
  })

  test('with torn files: they are not taken', async () => {
    const { build, encoders, paths } = openWorkshop(manyTexts(100))
    const { building } = paths()
    mkdirSync(building, { recursive: true })
    writeFileSync(join(building, 'identity'), 'another model')
    writeFileSync(join(building, 'hashes.bin'), Buffer.alloc(1601, 1))
    writeFileSync(join(building, 'vectors.bin'), Buffer.alloc(333, 1))
    const { texts, encoded, columns: files } = await build()
    expect(encoded).toBe(texts)
    const expected = await expectedRows(await encoders.get(model), manyTexts(100), 0)
    expect(readNpy(files[0]?.path ?? '').values).toEqual(expected)
  })

  test('by an encoder that is gone', async () => {
    const { build, encoders } = openWorkshop()
    const encoder = await encoders.get(model)
    await encoders.release(model)
    await expect(build({ encoder })).rejects.toThrow(/is closed/)
    expect((await build()).encoded).toBe(5)
  })
})

describe('a build that cannot begin', () => {
  test('because another one runs', async () => {
    const { build, paths } = openWorkshop()
    const blocked = withBuildLock(paths().manifest, () => build())
    await expect(blocked).rejects.toThrow(EmbeddingsBusyError)
    expect((await build()).encoded).toBe(5)
  })

  test('because the catalogue has no such dataset', async () => {
    const { build } = openWorkshop()
    await expect(build({ dataset: 'manga' })).rejects.toThrow(DatasetMissingError)
  })
})
