/** `synoptic mcp` in a folder without a catalogue, and with one that cannot be opened. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { smallProgram } from '../helpers/small-program.js'
import { cli } from '../serve/child.js'

function useFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'synoptic-mcp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const env = { PATH: process.env.PATH ?? '', SYNOPTIC_SEARCH_ENCODER: 'builtin/static-en' }

it('shakes hands before it has imported the works; calls wait, and stderr says so', async () => {
  const cwd = useFolder()
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [await smallProgram(), 'mcp'],
    cwd,
    env,
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (text: Buffer) => (said += text.toString()))
  const client = new Client({ name: 'test', version: '0' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools).toHaveLength(5)
  expect(existsSync(join(cwd, 'data', 'catalogue.sqlite'))).toBe(false)
  const input = { query: 'a notebook that kills whoever is written in it', count: 1 }
  const call = { name: 'find_anime', arguments: input }
  const { structuredContent } = await client.callTool(call, { timeout: 170_000 })
  expect(structuredContent).toMatchObject({ results: [{ title: 'Death Note' }] })
  expect(said).toMatch(/importing the included works.*\n.*entries are imported/)
  expect(said).toMatch(/embeddings of manga are built[^]*entries are ready/)
})

it('ends with an error where the catalogue cannot be opened, though its client stays', async () => {
  const cwd = useFolder()
  mkdirSync(join(cwd, 'data'))
  writeFileSync(join(cwd, 'data', 'catalogue.sqlite'), 'no catalogue')
  const child = spawn(process.execPath, [cli, 'mcp'], { cwd, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code).toBe(1)
  expect(said).toMatch(/error: .*catalogue\.sqlite/)
})
