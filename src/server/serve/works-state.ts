/**
 * Which works a first start has imported. The catalogue keeps it, so that another version of the program, whose works are
 * others, imports its own.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openCatalogue } from '../../data/catalogue/open-catalogue.js'
import { firstStart } from '../../data/catalogue/dataset.js'
import { CatalogueError } from '../../base/errors/index.js'

const files = ['anime.json', 'anime.jsonl', 'manga.json', 'manga.jsonl', 'tags.json'].map(
  (name) => new URL(`../../../data/works/${name}`, import.meta.url),
)

export function worksState(): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return firstStart + hash.digest('hex')
}

/** Whether a first start of another version has made the catalogue, and nothing was imported since. */
export function holdsOtherWorks(file: string): boolean {
  const states = statesOf(file)
  return (
    states.length > 0 &&
    states.every((state) => state?.startsWith(firstStart)) &&
    states.some((state) => state !== worksState())
  )
}

/** One a dataset; none where the catalogue cannot be opened, which the server reports when it opens it. */
function statesOf(file: string): readonly (string | null | undefined)[] {
  try {
    const catalogue = openCatalogue(file)
    try {
      return catalogue.datasets().map(({ name }) => {
        const [first, ...others] = catalogue.origins(name)
        return others.length > 0 ? undefined : first?.state
      })
    } finally {
      catalogue.close()
    }
  } catch (error) {
    if (error instanceof CatalogueError) return []
    throw error
  }
}
