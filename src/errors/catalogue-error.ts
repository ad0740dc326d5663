export type CatalogueErrorCode = 'missing' | 'corrupt' | 'version' | 'closed'

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
    const remedy = code === 'closed' ? undefined : 'synoptic data import MAPPING.json...'
    super(`${file}: ${problem}${remedy ? `; build it with \`${remedy}\`` : ''}`, options)
    this.remedy = remedy
  }
}
