/**
 * The pages of the documentation in a folder of their own, as MkDocs reads them: README.md, every Markdown file that
 * links lead to from there, and the files that these pages show or link. A link to a folder leads to its README; if it
 * has none, only the words stay. Everything keeps its path.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const code = /^ *```[^]*?^ *```|`[^`\n]*`/gm
const link = /(!?)\[((?:\[[^\]]*\]\([^)]*\)|[^\]])*)\]\(([^)\s]+)\)/g

/** Writes them into `output` and returns the paths of the pages, relative to `project`. */
export function stagePages(project, output, first = 'README.md') {
  const pages = [first]
  const files = new Set()
  for (const page of pages) {
    const text = withLinks(readFileSync(join(project, page), 'utf8'), (target) => {
      const path = posix.normalize(posix.join(posix.dirname(page), decodeURI(target)))
      if (!existsSync(join(project, path)) || path.startsWith('..')) return undefined
      const file = statSync(join(project, path)).isDirectory()
        ? posix.join(path, 'README.md')
        : path
      if (!existsSync(join(project, file))) return undefined
      if (!file.endsWith('.md')) files.add(file)
      else if (!pages.includes(file)) pages.push(file)
      return posix.relative(posix.dirname(page), file)
    })
    write(join(output, page), text)
  }
  for (const file of files) {
    mkdirSync(dirname(join(output, file)), { recursive: true })
    cpSync(join(project, file), join(output, file))
  }
  return pages
}

/** The text with other targets of its relative links; a link without a target keeps its words. */
function withLinks(text, targetOf) {
  const codes = []
  const prose = text.replaceAll(code, (found) => `\0${codes.push(found) - 1}\0`)
  return linked(prose, targetOf).replaceAll(/\0(\d+)\0/g, (_, at) => codes[at])
}

function linked(prose, targetOf) {
  return prose.replaceAll(link, (whole, image, words, to) => {
    if (/^(?:[a-z]+:|#)/.test(to)) return whole
    const [path, anchor] = to.split('#')
    const target = targetOf(path)
    // The words of a link may be an image.
    const inside = linked(words, targetOf)
    if (target === undefined) return inside
    return `${image}[${inside}](${target}${anchor === undefined ? '' : `#${anchor}`})`
  })
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
