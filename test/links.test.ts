/** Relative links in Markdown files lead to files, folders and headings that exist; lines of pages are short. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('..', import.meta.url))
const pages = markdownFiles(project)

describe('links in Markdown', () => {
  it('finds the pages', () => {
    const names = pages.map((page) => relative(project, page))
    expect(names).toEqual(expect.arrayContaining(['README.md', 'docs/api.md', 'models/README.md']))
  })

  it.each(pages.map((page) => relative(project, page)))('of %s lead somewhere', (page) => {
    expect(deadLinks(join(project, page))).toEqual([])
  })

  it('are dead where a file or a heading is missing', () => {
    const page = join(project, 'docs', 'api.md')
    const text =
      '[a](nowhere.md) [b](design.md#nothing-here) [c](#errors) [d](../docs) ![e](no.png)'
    expect(deadLinks(page, `${text}\n## Errors\n`)).toEqual([
      'nowhere.md',
      'design.md#nothing-here',
      'no.png',
    ])
  })
})

describe('lines of pages', () => {
  const isPage = (page: string) =>
    /^(?:docs\/|README|CONTRIBUTING|CHANGELOG|models\/README|data\/works\/README)/.test(
      relative(project, page),
    )

  it.each(pages.filter(isPage).map((page) => relative(project, page)))(
    'of %s have at most 300 characters',
    (page) => {
      const lines = withoutCode(readFileSync(join(project, page), 'utf8')).split('\n')
      expect(lines.filter((line) => line.length > 300)).toEqual([])
    },
  )
})

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isFile()) return entry.name.endsWith('.md') ? [path] : []
    const isForeign = /^\.|^(?:node_modules|dist|build.*|shared|packages|prebuilds)$/.test(
      entry.name,
    )
    return entry.isDirectory() && !isForeign ? markdownFiles(path) : []
  })
}

/** Links of a page whose target is missing, as they are written. */
function deadLinks(page: string, text = readFileSync(page, 'utf8')): string[] {
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false
    const [path = '', anchor] = decodeURI(link).split('#')
    const target = path === '' ? page : resolve(dirname(page), path)
    if (!existsSync(target)) return true
    if (anchor === undefined || !target.endsWith('.md')) return false
    return !headings(target === page ? text : readFileSync(target, 'utf8')).has(anchor)
  })
}

/** The text without code, in which brackets are no links. */
function prose(text: string): string {
  return withoutCode(text).replaceAll(/`[^`\n]*`/g, '')
}

const withoutCode = (text: string) => text.replaceAll(/^ *```[^]*?^ *```/gm, '')

/** Anchors as GitHub makes them. */
function headings(text: string): Set<string> {
  const copies = new Map<string, number>()
  const lines = withoutCode(text).matchAll(/^#+ (.*)$/gm)
  const anchors = Array.from(lines, ([, heading = '']) => {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-')
    const copy = copies.get(anchor) ?? 0
    copies.set(anchor, copy + 1)
    return copy === 0 ? anchor : `${anchor}-${copy}`
  })
  return new Set(anchors)
}
