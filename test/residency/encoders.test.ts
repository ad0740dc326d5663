import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { createNamedEncoders } from '../helpers/named-encoders.js'
import {
  EncoderError,
  ModelNotInstalledError,
  UnknownModelError,
} from '#synoptic/base/errors/index.js'
import { describe, expect, test } from 'vitest'
import { tinyWords } from '../helpers/tiny-model.js'
import { openHarness, tiny, tinyStatic } from '../encoders/harness.js'

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => tinyWords.slice(0, 1 + (i % 8)).join(' '))

/** Runs something that starts a worker, and answers both. */
async function withWorker<T>(run: () => Promise<T>): Promise<[T, Worker]> {
  const started = once(process, 'worker') as Promise<[Worker]>
  const result = await run()
  return [result, (await started)[0]]
}

describe('which models', () => {
  test('a name that is not in the catalogue', async () => {
    const { encoders } = openHarness()
    for (const name of [
      '',
      'all-MiniLM-L6-v2',
      'encoders/ALL-MINILM-L6-V2',
      '../secret',
      '__proto__',
    ]) {
      await expect(encoders.get(name)).rejects.toThrow(UnknownModelError)
    }
  })

  test('a model without files says what installs it', async () => {
    const { encoders } = openHarness()
    const missing = encoders.get('encoders/gtr-t5-xl')
    await expect(missing).rejects.toThrow(ModelNotInstalledError)
    await expect(missing).rejects.toThrow('synoptic models add FOLDER --name encoders/gtr-t5-xl')
  })

  test('each is loaded once, however many ask', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    write(tinyStatic, { kind: 'StaticEmbedding' })
    const [first, second, other] = await Promise.all([
      encoders.get(tiny),
      encoders.get(tiny),
      encoders.get(tinyStatic),
    ])
    expect(second).toBe(first)
    expect(other).not.toBe(first)
    expect(first).toMatchObject({ model: tiny, dimension: 4, maxTokens: 16, device: 'cpu' })
    expect(encoders.loaded().toSorted()).toEqual([tiny, tinyStatic].toSorted())
  })
})

describe('tokenize', () => {
  test('answers the ids of each text, cut to the model’s length, and reads nothing', async () => {
    const { encoders, write } = openHarness()
    write(tinyStatic, { kind: 'StaticEmbedding' })
    const encoder = await encoders.get(tinyStatic)
    const [one = '', two = ''] = tinyWords
    const texts = [one, '', `${two} ${one}`, Array.from({ length: 50 }, () => one).join(' ')]
    const { ids, counts } = await encoder.tokenize(texts)
    const [a = -1] = (await encoder.tokenize([one])).ids
    const [b = -1] = (await encoder.tokenize([two])).ids
    expect([...counts]).toEqual([1, 0, 2, encoder.maxTokens])
    expect([...ids.slice(0, 3)]).toEqual([a, b, a])
    expect(ids.length).toBe(3 + encoder.maxTokens)
    expect(a).not.toBe(b)
  })

  test('counts the texts that are cut, and none that just fits', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    write(tinyStatic, { kind: 'StaticEmbedding' })
    const [one = ''] = tinyWords
    for (const [name, specials] of [
      [tiny, 2],
      [tinyStatic, 0],
    ] as const) {
      const encoder = await encoders.get(name)
      const text = (tokens: number) => Array.from({ length: tokens }, () => one).join(' ')
      const fits = encoder.maxTokens - specials
      const { truncated, tokens } = await encoder.encode([text(fits), text(fits + 1), one])
      expect([...tokens]).toEqual([encoder.maxTokens, encoder.maxTokens, 1 + specials])
      expect(truncated).toBe(1)
    }
  })

  test('answers the same whatever was encoded before, alone and in any company', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const [one = '', two = '', three = ''] = tinyWords
    const long = Array.from({ length: encoder.maxTokens + 1 }, () => two).join(' ')
    const alone = await Promise.all([three, long, one].map((text) => encoder.encode([text])))
    expect(await encoder.tokenize([two, one, long, two, '', three])).toEqual(
      await encoder.tokenize([two, one, long, two, '', three]),
    )
    const together = await encoder.encode([three, long, one])
    expect(together.truncated).toBe(1)
    expect([...together.vectors]).toEqual(alone.flatMap(({ vectors }) => [...vectors]))
    expect([...together.tokens]).toEqual(alone.flatMap(({ tokens }) => [...tokens]))
  })

  test('does not mix with encoding that is requested at the same moment', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const [expected, expectedIds] = [
      await encoder.encode(tinyWords),
      await encoder.tokenize(tinyWords),
    ]
    const answers = await Promise.all([
      encoder.tokenize(tinyWords),
      encoder.encode(tinyWords),
      encoder.tokenize(['']),
      encoder.tokenize(tinyWords),
    ])
    expect(answers[0]).toEqual(expectedIds)
    expect(answers[1].vectors).toEqual(expected.vectors)
    expect(answers[3]).toEqual(expectedIds)
  })

  test('rejects what is no text, and when aborted or closed', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    await expect(encoder.tokenize([7] as unknown as string[])).rejects.toThrow('text 0')
    const signal = AbortSignal.abort(new Error('the client left'))
    await expect(encoder.tokenize(['a'], { signal })).rejects.toThrow('the client left')
    await encoder.close()
    await expect(encoder.tokenize(['a'])).rejects.toThrow(EncoderError)
  })
})

describe('encode', () => {
  test('answers in the order of the texts, whatever their lengths', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const texts = many(200)
    const { vectors, tokens } = await encoder.encode(texts)
    expect(vectors.length).toBe(200 * 4)
    for (const row of [0, 1, 7, 8, 63, 199]) {
      const alone = await encoder.encode([texts[row] ?? ''])
      expect(vectors.slice(row * 4, row * 4 + 4)).toEqual(alone.vectors)
      expect(tokens[row]).toBe(alone.tokens[0])
    }
  })

  test('requests of one moment do not get mixed up', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const expected = await Promise.all(tinyWords.map((word) => encoder.encode([word])))
    const answers = await Promise.all(
      many(400).map((_, i) =>
        encoder.encode(Array<string>((i % 3) + 1).fill(tinyWords[i % 8] ?? '')),
      ),
    )
    answers.forEach(({ vectors, tokens }, i) => {
      const one = [...(expected[i % 8]?.vectors ?? [])]
      expect([...vectors]).toEqual(Array.from({ length: (i % 3) + 1 }, () => one).flat())
      expect(tokens.length).toBe((i % 3) + 1)
    })
  })

  test('no texts, no vectors', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    expect(await encoder.encode([])).toMatchObject({ truncated: 0, vectors: new Float32Array(0) })
  })

  test('what is no text is refused before it reaches the model', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    for (const strange of [null, undefined, 7, {}, ['alpha']]) {
      const texts = ['alpha', strange as string]
      await expect(encoder.encode(texts)).rejects.toThrow(/expected a string as text 1, got/)
    }
    await expect(encoder.encode(['alpha'])).resolves.toBeDefined()
  })

  test('awkward texts get a vector', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const awkward = [
      '', '\0', 'a\0b', '\ud83d', 'x\udc00y', '👨‍👩‍👧‍👦', 'שלום', '\u202eabc', '[CLS] [PAD]', '\ufeff',
      'x'.repeat(100_000), 'alpha '.repeat(20_000), '\u0301'.repeat(5000), '\u{10ffff}', '\r\n\t',
    ] // oxfmt-ignore
    const { vectors, tokens } = await encoder.encode(awkward)
    expect(vectors.every((value) => Number.isFinite(value))).toBe(true)
    expect(vectors.length).toBe(awkward.length * 4)
    expect(Math.max(...tokens)).toBe(16)
    const lone = await encoder.encode(['x \ud83d', 'x \ufffd'])
    expect(lone.vectors.slice(0, 4)).toEqual(lone.vectors.slice(4))
  })

  test('says where the time went', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const timed = async (texts: string[]) => {
      const begun = performance.now()
      const { timings } = await encoder.encode(texts, { priority: 'bulk' })
      return { ...timings, passedMs: performance.now() - begun }
    }
    // The second waits for the first, which is in the queue before it.
    const [first, second] = await Promise.all([timed(many(5000)), timed(['alpha'])])
    for (const { queueMs, tokenizeMs, inferMs, passedMs } of [first, second]) {
      expect(tokenizeMs).toBeGreaterThan(0)
      expect(inferMs).toBeGreaterThan(0)
      // The parts do not overlap, so that together they are no longer than the whole.
      expect(queueMs + tokenizeMs + inferMs).toBeLessThanOrEqual(passedMs)
    }
    expect(second.queueMs).toBeGreaterThan(first.tokenizeMs)
  })
})

describe('priority', () => {
  test('interactive work overtakes bulk work', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const order: string[] = []
    const bulk = encoder.encode(many(20_000), { priority: 'bulk' }).then(() => order.push('bulk'))
    await encoder.encode(['alpha']).then(() => order.push('interactive'))
    await bulk
    expect(order).toEqual(['interactive', 'bulk'])
  })

  test('bulk work ends although interactive work never stops', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    let done = false
    const bulk = encoder.encode(many(300), { priority: 'bulk' }).then(() => (done = true))
    const people = Array.from({ length: 8 }, async () => {
      while (!done) await encoder.encode(many(40))
    })
    await Promise.all([bulk, ...people])
    expect(done).toBe(true)
  })
})

describe('abort', () => {
  test('before, while it waits and after', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const reason = new Error('gone')
    await expect(encoder.encode(['alpha'], { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    )

    const late = new AbortController()
    await encoder.encode(['alpha'], { signal: late.signal })
    late.abort(reason)

    const controller = new AbortController()
    const bulk = encoder.encode(many(50_000), { priority: 'bulk', signal: controller.signal })
    const kept = encoder.encode(['beta'], { priority: 'bulk' })
    await encoder.encode(['alpha'])
    controller.abort(reason)
    await expect(bulk).rejects.toBe(reason)
    expect((await kept).vectors.length).toBe(4)
  })

  test('in the moment of asking', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const controller = new AbortController()
    const pending = encoder.encode(['alpha'], { signal: controller.signal })
    controller.abort()
    await expect(pending).rejects.toThrow(/aborted/)
    expect((await encoder.encode(['alpha'])).vectors.length).toBe(4)
  })
})

describe('the end', () => {
  test('release lets work end, frees the model, and get loads it again', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const work = encoder.encode(many(2000))
    const released = encoders.release(tiny)
    expect((await work).vectors.length).toBe(8000)
    await released
    expect(encoders.loaded()).toEqual([])
    await expect(encoder.encode(['alpha'])).rejects.toMatchObject({ reason: 'closed' })
    const again = await encoders.get(tiny)
    expect(again).not.toBe(encoder)
    expect((await again.encode(['alpha'])).vectors.length).toBe(4)
    await encoders.release(tiny)
    await encoders.release(tiny)
    await encoders.release('encoders/never-loaded')
  })

  test('close rejects work in flight, twice is once, and nothing loads any more', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const encoder = await encoders.get(tiny)
    const work = encoder.encode(many(50_000)).catch((error: unknown) => error)
    await encoder.encode(['alpha'], { priority: 'interactive' }).catch(() => undefined)
    await Promise.all([encoders.close(), encoders.close()])
    expect(encoders.loaded()).toEqual([])
    expect([EncoderError, Object]).toContain(((await work) as object).constructor)
    await expect(encoder.encode(['alpha'])).rejects.toThrow(EncoderError)
    await expect(encoders.get(tiny)).rejects.toThrow(EncoderError)
  })

  test('close while a model loads', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const loading = encoders.get(tiny)
    await encoders.close()
    const encoder = await loading
    await expect(encoder.encode(['alpha'])).rejects.toThrow(/is closed/)
  })

  test('a worker that dies rejects its work, and the next request starts another', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const [encoder, worker] = await withWorker(() => encoders.get(tiny))
    const work = encoder.encode(many(50_000), { priority: 'bulk' }).catch((error: unknown) => error)
    const before = await encoder.encode(['alpha'])
    // What it cannot read: an error that nobody catches.
    worker.postMessage(undefined)
    expect(await work).toBeInstanceOf(EncoderError)
    expect(await work).toMatchObject({ reason: 'failed', model: tiny })
    const [after, other] = await withWorker(() => encoder.encode(['alpha']))
    expect(other).not.toBe(worker)
    expect(after.vectors).toEqual(before.vectors)
    expect(encoders.loaded()).toEqual([tiny])
  })

  test('a worker that cannot start again says why, until it can', async () => {
    const { encoders, write } = openHarness()
    const folder = write(tiny)
    const [encoder, worker] = await withWorker(() => encoders.get(tiny))
    await worker.terminate()
    rmSync(join(folder, 'onnx'), { recursive: true })
    await expect(encoder.encode(['alpha'])).rejects.toThrow(/onnx\/model\.onnx is missing/)
    write(tiny)
    expect((await encoder.encode(['alpha'])).vectors.length).toBe(4)
  })

  test('a worker that finds other files when it starts again is refused, until they are back', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const [encoder, worker] = await withWorker(() => encoders.get(tiny))
    const before = await encoder.encode(['alpha'])
    worker.postMessage(undefined)
    await new Promise((gone) => worker.once('exit', gone))
    // Of the same dimension, and yet another revision.
    write(tiny, { files: { 'tokenizer_config.json': { pad_token: '[UNK]' } } })
    for (let i = 0; i < 2; i++) {
      await expect(encoder.encode(['alpha'])).rejects.toThrow(/its files have been replaced/)
    }
    write(tiny)
    expect((await encoder.encode(['alpha'])).vectors).toEqual(before.vectors)
  })

  test('close while a worker waits to start again starts none', async () => {
    const { encoders, write } = openHarness()
    write(tiny)
    const [encoder, worker] = await withWorker(() => encoders.get(tiny))
    await worker.terminate()
    const work = encoder.encode(['alpha']).catch((error: unknown) => error)
    // The turn in which it begins to wait.
    await setImmediate()
    const started: Worker[] = []
    const notice = (other: Worker) => started.push(other)
    process.on('worker', notice)
    await encoders.close()
    process.off('worker', notice)
    expect(await work).toMatchObject({ reason: 'closed' })
    expect(started).toEqual([])
  })

  test.each([
    ['idle', `await encoder.encode(['alpha'])`],
    ['idle, by exit', `await encoder.encode(['alpha']); process.exit(0)`],
    [
      'busy, by exit',
      // With tokens, for ONNX Runtime's addon aborts a process that ends at the wrong moment.
      `void encoder.encode(Array(100).fill('alpha '.repeat(20000)))
      setTimeout(() => process.exit(0), 50)`,
    ],
    [
      'at work that was called off, and closed',
      `const abort = new AbortController()
      const work = encoder.encode(Array(100).fill('alpha '.repeat(20000)), { signal: abort.signal })
      setTimeout(() => abort.abort(), 50)
      await work.catch(() => encoders.close())`,
    ],
    ['waited for', `if ((await encoder.encode(['alpha'])).vectors.length !== 4) process.exit(1)`],
  ])('a process ends cleanly with an encoder that is %s', async (_, script) => {
    const { modelsDir, write } = openHarness()
    write(tiny)
    const code = `
      import { createEncoders } from '#synoptic/models/residency/encoders.js'
      import { requireInstalled } from '#synoptic/models/registry/resolve-model.js'
      const model = requireInstalled(${JSON.stringify(tiny)}, { modelsDir: ${JSON.stringify(modelsDir)} })
      const encoders = createEncoders({ threads: 1 })
      const encoder = await encoders.get(model)
      ${script}`
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'pipe' })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const [status, signal] = (await once(child, 'close')) as [number | null, string | null]
    expect({ status, signal, output }).toEqual({ status: 0, signal: null, output: '' })
  })

  test('two sets of encoders do not disturb each other', async () => {
    const { encoders, modelsDir, write } = openHarness()
    write(tiny)
    const others = createNamedEncoders({ modelsDir, threads: 1 })
    const [mine, theirs] = await Promise.all([encoders.get(tiny), others.get(tiny)])
    await others.close()
    await expect(theirs.encode(['alpha'])).rejects.toThrow(EncoderError)
    expect((await mine.encode(['alpha'])).vectors.length).toBe(4)
  })
})
