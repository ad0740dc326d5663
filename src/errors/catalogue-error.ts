const includedWorks = 'synoptic data import data/works/anime.json data/works/manga.json'
export type CatalogueErrorCode = 'missing' | 'unmounted' | 'corrupt' | 'version' | 'closed'

const remedies: Readonly<Record<CatalogueErrorCode, string | undefined>> = {
  missing: includedWorks,
  corrupt: includedWorks,
  version: includedWorks,
  unmounted: undefined,
  closed: undefined,
}

/** A catalogue that cannot be read. The message names the command that fixes it. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError'
  readonly remedy: string | undefined

  constructor(
    readonly code: CatalogueErrorCode,
    readonly file: string,
    /** What is wrong, without the file and the remedy. */
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    const remedy = remedies[code]
    const ways = `; import your files again, or the included works: \`${remedy}\``
    super(`${file}: ${problem}${remedy === undefined ? '' : ways}`, options)
    this.remedy = remedy
  }
}
