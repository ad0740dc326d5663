export type CatalogueErrorCode = 'missing' | 'corrupt' | 'version' | 'closed'

/** A catalogue that cannot be read. The message names the command that fixes it. */
export class CatalogueError extends Error {
  override readonly name = 'CatalogueError'

  constructor(
    readonly code: CatalogueErrorCode,
    readonly file: string,
    /** What is wrong, without the file and the remedy. */
    readonly problem: string,
    options?: ErrorOptions,
  ) {
    const remedy = code === 'closed' ? '' : '; build it with `synoptic data import MAPPING.json...`'
    super(`${file}: ${problem}${remedy}`, options)
  }
}
