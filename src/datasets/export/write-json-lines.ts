/** An export as JSON lines: an object a line, in UTF-8. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { nameFile } from '../../util/system-reason.js'
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
      try {
        writeSync(descriptor, lines.join(''))
      } catch (error) {
        throw nameFile(error, file)
      }
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
