/** Redocly's recommended rules on /openapi.json, by `redocly` on PATH or in SYNOPTIC_TEST_REDOCLY. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addKey, allRoutes, openClientScene } from './scene.js'

const redocly = process.env.SYNOPTIC_TEST_REDOCLY ?? 'redocly'
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const isThere = spawnSync(redocly, ['--version'], { env }).status === 0
if (!isThere) console.warn('skipped: there is no redocly; set SYNOPTIC_TEST_REDOCLY')

interface Report {
  readonly problems: readonly {
    readonly ruleId: string
    readonly message: string
    readonly location: readonly { readonly pointer?: string }[]
  }[]
}

function lint(file: string): Promise<string[]> {
  const words = ['lint', '--extends', 'recommended', '--format', 'json', file]
  return new Promise((resolve, reject) => {
    // Its status says whether there are errors; it writes its report in any case.
    execFile(redocly, words, { env, maxBuffer: 1 << 26 }, (_, stdout, stderr) => {
      if (stdout === '') {
        reject(new Error(stderr))
        return
      }
      const { problems } = JSON.parse(stdout) as Report
      resolve(
        problems.map(
          ({ ruleId, message, location }) =>
            `${ruleId} at ${location[0]?.pointer ?? '#'}: ${message}`,
        ),
      )
    })
  })
}

// It stops its servers after the file's tests, so it is opened outside of them.
const scene = isThere ? await openClientScene() : undefined

it.skipIf(!isThere)('has no errors and no warnings, with keys and without', async () => {
  if (scene === undefined) return
  const { folder } = scene
  addKey(folder)
  for (const words of [allRoutes, [...allRoutes, '--api-keys', 'keys.json', '--rate-limit', '0']]) {
    const file = join(folder, 'openapi.json')
    const origin = await scene.start(words)
    writeFileSync(file, await (await fetch(`${origin}/openapi.json`)).text())
    expect(await lint(file)).toEqual([])
  }
  const worse = join(folder, 'worse.json')
  writeFileSync(worse, '{"openapi": "3.1.1", "info": {"title": "a", "version": "1"}, "paths": {}}')
  expect(await lint(worse)).not.toEqual([])
})
