/** How wide a progress bar is, so that its line fits the terminal. */

const maxBarSize = 40
const minBarSize = 4

/** @param textLength characters of the line next to the bar */
export function barSize(textLength: number, columns = process.stderr.columns || 80): number {
  return Math.max(minBarSize, Math.min(maxBarSize, columns - textLength - 1))
}
