/** `--vocabulary`: an operator's words for queries, which a reload reads again. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readOwnWords } from '#synoptic/search/composition/read-own-words.js'
import { expect, it, onTestFinished } from 'vitest'
import { openScene } from '../faults/scene.js'
import { until } from './load.js'

function useFile() {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-vocabulary-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'words.json')
  return {
    file,
    write: (words: unknown) =>
      writeFileSync(file, typeof words === 'string' ? words : JSON.stringify(words)),
  }
}

it('reads words at the start and at SIGHUP, and keeps the old ones where the file is wrong', async () => {
  const { file, write } = useFile()
  write({ tags: { 'time-loop': ['glorpish'] }, genres: { Horror: ['brrr show'] } })
  const server = await openScene(['--vocabulary', file])
  const topics = async (query: string) => {
    const response = await fetch(`${server.origin}/search/anime`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    expect(response.status).toBe(200)
    const { interpretation } = (await response.json()) as {
      interpretation?: { readings: { kind: string; label: string }[] }
    }
    const read = interpretation?.readings ?? []
    return read.flatMap(({ kind, label }) => (kind === 'topic' ? [label.toLowerCase()] : []))
  }
  expect(await topics('a glorpish anime')).toContain('glorpish')
  expect(await topics('a brrr show')).toContain('brrr show')
  expect(await topics('a wuzzle anime')).not.toContain('wuzzle')

  write({ tags: { 'time-loop': ['wuzzle'] } })
  server.child.kill('SIGHUP')
  await until(() => server.output.stderr.includes('"reloaded"'))
  expect(await topics('a wuzzle anime')).toContain('wuzzle')
  expect(await topics('a glorpish anime')).not.toContain('glorpish')

  write({ tags: { 'time-lop': ['glorpish'] } })
  server.child.kill('SIGHUP')
  await until(() => server.output.stderr.includes('the reload failed'))
  expect(server.output.stderr).toContain('did you mean time-loop')
  expect(await topics('a wuzzle anime')).toContain('wuzzle')
  expect(await server.stop()).toBe(0)
})

it.each([
  ['no JSON', '{', 'expected JSON'],
  ['another member', { tag: {} }, 'tag: unknown member'],
  ['a word that is no list', { tags: { 'time-loop': 'again' } }, 'tags.time-loop'],
  ['an empty word', { genres: { Horror: [' '] } }, 'genres.Horror.0'],
  ['an unknown tag', { tags: { 'no-such-tag': ['x'] } }, 'expected keys of the vocabulary'],
  ['a list', [], '--vocabulary'],
])('refuses a file with %s', (_, words, message) => {
  const { file, write } = useFile()
  write(words)
  expect(() => readOwnWords(file)).toThrow(message)
})

it('refuses a file that is not there, and takes one that is empty', () => {
  const { file, write } = useFile()
  expect(() => readOwnWords(file)).toThrow('--vocabulary')
  write({})
  expect(readOwnWords(file)).toEqual({})
  expect(readOwnWords()).toBeUndefined()
})
