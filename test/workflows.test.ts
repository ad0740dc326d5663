/** The workflows of .github: sound to actionlint, and a release publishes only for a tag. */
import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('../.github/workflows', import.meta.url))
const release = readFileSync(join(folder, 'release.yml'), 'utf8')
const program = process.env.SYNOPTIC_TEST_ACTIONLINT ?? 'actionlint'

const lint = (text: string) =>
  spawnSync(program, ['-no-color', '-'], { input: text, encoding: 'utf8' })

describe('workflows', () => {
  it.for(readdirSync(folder))('%s is sound to actionlint', (name, { skip }) => {
    if (spawnSync(program, ['--version']).error)
      skip('there is no actionlint: go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7')
    const { status, stdout } = lint(readFileSync(join(folder, name), 'utf8'))
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  it.for([
    ['a job that is not there', 'needs: addon\n', 'needs: addons\n'],
    ['a value that is not there', 'github.ref_type', 'github.reftype'],
  ])('actionlint sees %s', ([, from = '', to = ''], { skip }) => {
    if (spawnSync(program, ['--version']).error)
      skip('there is no actionlint: go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7')
    expect(release).toContain(from)
    expect(lint(release.replace(from, to)).status).toBe(1)
  })

  it('scripts that the release runs exist', () => {
    const { scripts } = JSON.parse(
      readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8'),
    ) as { scripts: Record<string, string> }
    const named = [...release.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name]) => name)
    expect(named.length).toBeGreaterThan(3)
    for (const name of named) expect(scripts).toHaveProperty([name ?? ''])
  })
})
