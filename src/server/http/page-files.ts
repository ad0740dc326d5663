/** The files of the pages, made by tools/build-page.js. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../../web/', import.meta.url)

export const pageFile = (name: string): string => fileURLToPath(new URL(name, folder))

/** Undefined where the pages are not built. */
export function readPage(name: string): string | undefined {
  const file = pageFile(name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
