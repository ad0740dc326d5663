/** An export as JSON lines: an object a line, in UTF-8. */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import type { ExportedRow } from './exported-row.js'

/** Lines that are written at once. */
const batchLines = 500

export function writeJsonLines(
  file: string,
  rows: Iterable<ExportedRow>,
  dataset: string,
): Promise<void> {
  const descriptor = openSync(file, 'w')
  try {
    let lines: string[] = []
    const flush = () => {
      writeFileSync(descriptor, lines.join(''))
      lines = []
    }
    for (const { members, texts } of rows) {
      if (lines.push(`${JSON.stringify({ ...members, dataset, texts })}\n`) === batchLines) flush()
    }
    flush()
  } finally {
    closeSync(descriptor)
  }
  return Promise.resolve()
}
