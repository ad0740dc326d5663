/** The site that `npm run docs` makes. MkDocs is on PATH or in SYNOPTIC_TEST_MKDOCS. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { stagePages } from '../tools/docs/stage.js'

const project = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'synoptic-site-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const mkdocs = process.env.SYNOPTIC_TEST_MKDOCS ?? 'mkdocs'
const isThere = spawnSync(mkdocs, ['--version']).status === 0
if (!isThere) console.warn('skipped: there is no mkdocs; set SYNOPTIC_TEST_MKDOCS')

/** A folder with these files, and the pages that are staged from it. */
function stage(name: string, files: Readonly<Record<string, string>>) {
  const [from, to] = [join(scratch, name, 'from'), join(scratch, name, 'to')]
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(from, path)), { recursive: true })
    writeFileSync(join(from, path), text)
  }
  const pages = stagePages(from, to)
  return { pages, read: (path: string) => readFileSync(join(to, path), 'utf8'), to }
}

describe('the pages of the site', () => {
  it('are all that links lead to, with what they show', () => {
    const { pages, read, to } = stage('links', {
      'README.md': '[a](docs/a.md#top) ![p](docs/p.png) [`c`](docs/a.md)',
      'docs/a.md': '[back](../README.md) [folder](../models) [other](https://example.org/x.md)',
      'docs/p.png': 'picture',
      'docs/alone.md': 'Nothing links here.',
      'models/README.md': 'Models.',
    })
    expect(pages).toEqual(['README.md', 'docs/a.md', 'models/README.md'])
    expect(read('README.md')).toBe('[a](docs/a.md#top) ![p](docs/p.png) [`c`](docs/a.md)')
    expect(read('docs/a.md')).toContain('[folder](../models/README.md)')
    expect(read('docs/a.md')).toContain('[other](https://example.org/x.md)')
    expect(read('docs/p.png')).toBe('picture')
    expect(existsSync(join(to, 'docs/alone.md'))).toBe(false)
  })

  it.each([
    ['a folder without a README', '[the tests](test)', 'the tests'],
    ['a file that is missing', '[gone](docs/gone.md)', 'gone'],
    ['a file outside', '[above](../secret.md)', 'above'],
  ])('keep the words of a link to %s', (name, text, expected) => {
    const { pages, read } = stage(name, { 'README.md': text, 'test/a.ts': '', '../secret.md': 's' })
    expect(pages).toEqual(['README.md'])
    expect(read('README.md')).toBe(expected)
  })

  it('keep code as it is', () => {
    const text = '```sh\n[a](b.md)\n```\n`[a](b.md)`\n'
    expect(stage('code', { 'README.md': text }).read('README.md')).toBe(text)
  })
})

describe.skipIf(!isThere)('npm run docs', () => {
  const document = join(scratch, 'openapi.json')
  const site = join(scratch, 'site')
  const build = () => {
    const words = [
      'tools/docs/site.js',
      '--output',
      site,
      '--openapi',
      document,
      '--mkdocs',
      mkdocs,
    ]
    return spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' })
  }

  it('makes pages, a search index and the reference, without a dead link', () => {
    writeFileSync(
      document,
      '{"openapi":"3.1.1","info":{"title":"</script>","version":"1"},"paths":{}}',
    )
    const { status, stdout, stderr } = build()
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^\d+ pages in /)
    expect(status).toBe(0)
    const index = JSON.parse(readFileSync(join(site, 'search/search_index.json'), 'utf8')) as {
      docs: readonly { location: string }[]
    }
    expect(index.docs.map(({ location }) => location)).toContain('docs/api.html#filters')
    const reference = readFileSync(join(site, 'reference/api.html'), 'utf8')
    expect(reference.match(/<\/script>/g)).toHaveLength(2)
    // Nothing is loaded from other servers.
    expect(readFileSync(join(site, 'index.html'), 'utf8')).not.toMatch(/src="https?:/)
  })

  it('fails without a document', () => {
    rmSync(document)
    const { status, stderr } = build()
    expect(stderr).toContain('ENOENT')
    expect(status).not.toBe(0)
  })
})
