/** A system for which ONNX Runtime has no library: reported at the start, with what to do. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireOnnxRuntime } from '#synoptic/models/encoders/onnx-runtime.js'
import { usesMusl } from '#synoptic/base/util/c-library.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'synoptic-system-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** SQLite can be compiled anywhere, so it is there on the other processor, too. */
const sqlite = JSON.stringify(import.meta.resolve('#synoptic/base/util/sqlite.js'))

/** The command line, as a Node of another processor sees itself. */
function synopticOn(arch: string, ...words: string[]) {
  const script = `import ${sqlite}; Object.defineProperty(process, 'arch', { value: '${arch}' })`
  const pretend = `data:text/javascript,${encodeURIComponent(script)}`
  const folders = ['data', 'embeddings', 'models'].flatMap((name) => [
    `--${name}-dir`,
    join(folder, name),
  ])
  return spawnSync(
    process.execPath,
    ['--import', pretend, join('dist', 'cli.js'), ...words, ...folders],
    { encoding: 'utf8' },
  )
}

describe('ONNX Runtime', () => {
  it('is there on this machine', () => {
    expect(() => requireOnnxRuntime()).not.toThrow()
  })

  it('is missed by a server before it does anything, and the message says what to do', () => {
    const { status, stdout, stderr } = synopticOn('riscv64', 'serve', '--port', '0')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /^error: ONNX Runtime, .* has no library for \w+ on riscv64\. .* with Linux\.\n$/,
    )
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('the C library', () => {
  it('is reported as Node itself does', () => {
    const report = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
    const isGlibc = report.header.glibcVersionRuntime !== undefined
    expect(usesMusl()).toBe(process.platform === 'linux' && !isGlibc)
  })
})
