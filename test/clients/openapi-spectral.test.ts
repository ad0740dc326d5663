/** Spectral's rules for OpenAPI on /openapi.json, by `spectral` on PATH or in SYNOPTIC_TEST_SPECTRAL. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { allRoutes, openClientScene } from './scene.js'

const spectral = process.env.SYNOPTIC_TEST_SPECTRAL ?? 'spectral'
const isThere = spawnSync(spectral, ['--version']).status === 0
if (!isThere) console.warn('skipped: there is no spectral; set SYNOPTIC_TEST_SPECTRAL')

interface Problem {
  readonly code: string
  readonly message: string
  readonly path: readonly string[]
}

/** Warnings as well as errors. */
function lint(file: string, ruleset: string): Promise<string[]> {
  const words = ['lint', '--quiet', '--format', 'json', '--ruleset', ruleset, file]
  return new Promise((resolve, reject) => {
    // Its status says whether there are errors; it writes its report in any case.
    execFile(spectral, words, { maxBuffer: 1 << 26 }, (_, stdout, stderr) => {
      if (!stdout.startsWith('[')) {
        reject(new Error(stdout + stderr))
        return
      }
      const problems = JSON.parse(stdout) as readonly Problem[]
      resolve(problems.map(({ code, message, path }) => `${code} at ${path.join('.')}: ${message}`))
    })
  })
}

// It stops its servers after the file's tests, so it is opened outside of them.
const scene = isThere ? await openClientScene() : undefined

it.skipIf(!isThere)('has no errors and no warnings', { tags: ['nightly'] }, async () => {
  if (scene === undefined) return
  const ruleset = join(scene.folder, 'ruleset.json')
  // The document names no contact and no server address.
  const rules = { 'info-contact': 'off', 'oas3-api-servers': 'off' }
  writeFileSync(ruleset, JSON.stringify({ extends: 'spectral:oas', rules }))
  const file = join(scene.folder, 'openapi.json')
  const origin = await scene.start(allRoutes)
  writeFileSync(file, await (await fetch(`${origin}/openapi.json`)).text())
  expect(await lint(file, ruleset)).toEqual([])
  const worse = join(scene.folder, 'worse.json')
  writeFileSync(worse, '{"openapi": "3.1.1", "info": {"title": "a", "version": "1"}, "paths": 7}')
  expect(await lint(worse, ruleset)).not.toEqual([])
})
