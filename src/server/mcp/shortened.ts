/** A synopsis as a list of results shows it; get_entry has the whole text. */

const maxLength = 500

/** Cuts between code points. */
export function shortened(synopsis: string): string {
  const characters = Array.from(synopsis)
  return characters.length <= maxLength ? synopsis : `${characters.slice(0, maxLength).join('')}…`
}
