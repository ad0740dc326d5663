/** `synoptic search` in process, on the sample: tables, JSON lines, and one dataset. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { search } from '#synoptic/cli/search.js'
import { mcpSettings } from '#synoptic/base/config/mcp-settings.js'
import { readSettings } from '#synoptic/base/config/read.js'
import { importSample } from '../serve/sample.js'

const home = mkdtempSync(join(tmpdir(), 'synoptic-search-'))
beforeAll(() => importSample(home))
afterAll(() => rmSync(home, { recursive: true }))

async function run(...words: string[]) {
  const given = ['--home', home, '--models-dir', 'models', '--log-file', 'none', ...words]
  const { settings, rest } = readSettings(mcpSettings, given, {})
  const written: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  try {
    const status = await search.run(rest, settings)
    return { status, out: written.join('') }
  } finally {
    write.mockRestore()
  }
}

it('prints a table of each dataset', async () => {
  const { status, out } = await run('a shinigami drops a notebook that kills', '--results', '2')
  expect(status).toBe(0)
  expect(out).toMatch(/^anime\n {2}1 {2}\d\.\d\d {2}Death Note \(.*\n {11}\S.*\n {2}2 /)
  expect(out).toMatch(/\n\nmanga\n {2}1 /)
})

it('prints a JSON object a line for a program', async () => {
  const { out } = await run('death note', '--dataset', 'anime', '--json', '--results', '1')
  const lines = out.trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ dataset: 'anime', title: 'Death Note' })
})
