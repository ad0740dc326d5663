/** The commands; one that is stopped by a signal has a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildCodes } from '#synoptic/native/addon/index.js'
import { describe, expect, test } from 'vitest'
import { synopticHere } from '../helpers/run-here.js'
import { writeTinyModel } from '../helpers/tiny-model.js'
import { type Workshop, manyTexts, model, openWorkshop } from './workshop.js'

const cli = ['dist/cli.js']
const flags = ({ folder }: Workshop) => [
  '--data-dir',
  folder,
  '--models-dir',
  join(folder, 'models'),
  '--embeddings-dir',
  join(folder, 'embeddings'),
]

const synoptic = (workshop: Workshop, ...words: string[]) =>
  synopticHere([...words, ...flags(workshop)])

describe('embed', () => {
  test('build, build again, status, verify', async () => {
    const workshop = openWorkshop()
    const before = await synoptic(workshop, 'embed', 'status')
    expect(before).toMatchObject({ code: 0, stderr: '' })
    expect(before.stdout).toContain(
      `anime ${model}: missing\n  synoptic embed build --dataset anime --model ${model}\n`,
    )

    const built = await synoptic(workshop, 'embed', 'build', '--model', model)
    expect(built).toMatchObject({ code: 0, stderr: '' })
    expect(built.stdout).toMatch(
      /^anime: synopsis: 4 texts\nanime: Synopsis other Dataset: 3 texts\nanime: 5 of 5 texts encoded/,
    )
    const again = await synoptic(workshop, 'embed', 'build', '--model', model, '--dataset', 'anime')
    expect(again.stdout).toMatch(/^anime: 0 of 5 texts encoded with fine_tuned/)
    const status = await synoptic(workshop, 'embed', 'status', '--verify')
    expect(status).toMatchObject({ code: 0, stderr: '' })
    expect(status.stdout).toContain(
      `anime ${model}: current, 5 rows x 4, columns: 2\n` +
        '  synopsis: 0.2 kB of float32, no quantized codes\n' +
        '  Synopsis other Dataset: 0.2 kB of float32, no quantized codes\n',
    )
  })

  test('status says which quantized codes there are, what they promise and which are refused', async () => {
    const workshop = openWorkshop(manyTexts(600))
    const { columns } = await workshop.build()
    const path = columns[0]?.path ?? ''
    const { bytes, predictedCandidates } = await buildCodes(path, { bits: 8 })
    const status = await synoptic(workshop, 'embed', 'status')
    expect(status).toMatchObject({ code: 0, stderr: '' })
    expect(status.stdout).toContain(
      `, int8 codes of ${(bytes / 1000).toFixed(1)} kB; a search for ten hits reads about ` +
        `${predictedCandidates.toFixed(0)} of 600 rows in float32\n`,
    )
    writeFileSync(`${path}.q8`, 'not codes')
    const refused = await synoptic(workshop, 'embed', 'status')
    expect(refused.stdout).toMatch(
      /, quantized codes refused: .*\.q8.*\n {2}synoptic embed build --dataset/s,
    )
    await synoptic(workshop, 'embed', 'build', '--model', model)
    expect((await synoptic(workshop, 'embed', 'status')).stdout).not.toContain('refused')
  })

  test('build runs the model on the requested device, and says where it cannot', async () => {
    const workshop = openWorkshop()
    const onCpu = await synoptic(workshop, 'embed', 'build', '--model', model, '--device', 'cpu')
    expect(onCpu).toMatchObject({ code: 0, stderr: '' })
    const words = ['embed', 'build', '--model', model, '--force', '--device', 'cuda:997']
    const elsewhere = await synoptic(workshop, ...words)
    expect(elsewhere.code).toBe(0)
    expect(elsewhere.stderr).toMatch(/^warning: .*cuda:997 is not /m)
  })

  test('status names what is stale and what is damaged, and fails', async () => {
    const workshop = openWorkshop(manyTexts(4096))
    const { columns } = await workshop.build()
    const path = columns[0]?.path ?? ''
    const bytes = readFileSync(path)
    bytes.writeFloatLE(0.5, bytes.length >> 1)
    writeFileSync(path, bytes)
    const opened = await synoptic(workshop, 'embed', 'status')
    expect(opened.code).toBe(1)
    expect(opened.stdout).toMatch(/: damaged: .*others between byte 0 and .*\n {2}synoptic embed/)
    const damaged = await synoptic(workshop, 'embed', 'status', '--verify')
    expect(damaged.code).toBe(1)
    expect(damaged.stdout).toMatch(/: damaged: synopsis: expected SHA-256 .*\n {2}synoptic embed/)
    workshop.setTexts([['alpha', null]])
    const stale = await synoptic(workshop, 'embed', 'status')
    expect(stale.code).toBe(1)
    expect(stale.stdout).toMatch(/: stale: dataset version: expected .*\n {2}synoptic embed build/)
  })

  test.each<[string[], number, RegExp]>([
    [
      ['embed', 'build', '--dataset', 'Films'],
      2,
      /--dataset: expected anime, manga, or a name of at most 40 small letters, digits and hyphens that begins with a letter, received Films/,
    ],
    [
      ['embed', 'build', '--model', 'encoders/gtr-t5-XL'],
      2,
      /the nearest are encoders\/gtr-t5-xl,/,
    ],
    [['embed', 'build', '--fast'], 2, /unknown option --fast/],
    [['embed', 'build', 'anime'], 2, /embed build: /],
    [
      ['embed', 'build', '--device', 'gpu'],
      2,
      /--device: expected auto, cpu, cuda or cuda:N, received "gpu"/,
    ],
    [
      ['embed', 'build', '--model', 'encoders/gtr-t5-xl'],
      1,
      /is not installed\. To install it, run `synoptic models pull encoders\/gtr-t5-xl` or/,
    ],
    [
      ['embed', 'build', '--dataset', 'manga', '--model', model],
      1,
      /manga dataset is not installed/,
    ],
    [['embed', 'status', 'all'], 2, /embed status: /],
    [
      ['embed', 'import', 'model/Films/all-MiniLM'],
      2,
      /set --csv to the file.*\n.*--dataset: expected anime, manga, or a name of at most 40 small letters, digits and hyphens that begins with a letter, received Films\n.*--model: unknown model "all-MiniLM"/,
    ],
    [
      ['embed', 'import', `model/anime/${model}`, '--csv', 'nowhere.csv'],
      1,
      /not imported: there is no file nowhere\.csv/,
    ],
  ])('%j is refused', async (words, code, problem) => {
    const result = await synoptic(openWorkshop(), ...words)
    expect(result.code).toBe(code)
    expect(result.stderr).toMatch(problem)
    expect(result.stderr).not.toMatch(/\n\s+at /)
  })

  test('a stopped build goes on the next time', async () => {
    for (;;) {
      const workshop = openWorkshop(manyTexts(20_000))
      const words = [...cli, 'embed', 'build', '--model', model, ...flags(workshop)]
      const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] })
      let stderr = ''
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      const closed = once(child, 'close')
      const isBuilding = () => {
        try {
          return readFileSync(join(workshop.paths().building, 'hashes.bin')).length > 0
        } catch {
          return false
        }
      }
      while (!isBuilding() && child.exitCode === null) await sleep(5)
      child.kill('SIGINT')
      const outcome = await closed
      // It was done before the request to stop.
      if (outcome[0] === 0) continue
      expect(outcome).toEqual([130, null])
      expect(stderr).toBe('Stopped. To resume, run the same command again.\n')
      const { texts, encoded } = await workshop.build()
      expect(encoded).toBeLessThan(texts)
      return
    }
  })
})

describe('models', () => {
  test('add, list, and what next', async () => {
    const workshop = openWorkshop()
    const path = join(workshop.folder, 'mine')
    writeTinyModel(path)
    const name = 'fine_tuned_sbert_model_anime'
    const added = await synoptic(workshop, 'models', 'add', path, '--name', name)
    expect(added).toMatchObject({ code: 0, stderr: '' })
    expect(added.stdout).toMatch(
      /4 dimensions, at most 16 tokens.*\nNext: synoptic embed build --model/,
    )
    const { stdout } = await synoptic(workshop, 'models', 'list')
    expect(stdout.split('\n').length).toBe(41)
    expect(stdout).toMatch(/^cross-encoder\/ms-marco-MiniLM-L-6-v2 +- +- /m)
    expect(stdout).toMatch(/^builtin\/maxsim-en +built in /m)
    expect(stdout).toMatch(/^fine_tuned_sbert_model_anime +installed /m)
    expect(stdout).toMatch(/^encoders\/gtr-t5-xl +- +768 /m)
    expect(stdout).toMatch(/^builtin\/static-en +built in +256 /m)
  })

  test.each<[string[], number, RegExp]>([
    [['models', 'add'], 2, /expected one folder, received 0\n.*set --name/],
    [
      ['models', 'add', 'a', 'b', '--name', 'community/anime'],
      2,
      /expected one folder, received 2/,
    ],
    [['models', 'add', 'a', '--name', 'comunity/anime'], 2, /the nearest are community\/anime,/],
    [['models', 'add', 'a', '--name', 'community/anime'], 1, /there is no folder a/],
    [['models', 'list', 'all'], 2, /models list: unexpected word "all"/],
  ])('%j is refused', async (words, code, problem) => {
    const result = await synoptic(openWorkshop(), ...words)
    expect(result.code).toBe(code)
    expect(result.stderr).toMatch(problem)
  })
})
