/** Rows of a Parquet file, a row group at a time. */
import { DataImportError } from '../../../base/errors/index.js'
import type { NumberedRow } from '../raw-rows.js'
import { valueAt } from '../jsonl-rows.js'
import { plainValue, shortestFloat32 } from './plain-value.js'

/** Rows that are read at once. */
const rowsAtOnce = 2000

export interface ParquetHead {
  readonly columns: readonly string[]
  /** The file's own notes. */
  readonly about: Readonly<Record<string, string>>
}

export async function parquetHead(file: string): Promise<ParquetHead> {
  const { metadata } = await openParquet(file)
  const [root, ...elements] = metadata.schema
  const columns: string[] = []
  // Children of the root; a group is passed over with all that is inside.
  let at = 0
  for (let child = 0; child < (root?.num_children ?? 0); child += 1) {
    columns.push(elements[at]?.name ?? '')
    at = afterElement(elements, at)
  }
  const about = (metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ''])
  return { columns, about: Object.fromEntries(about) as Record<string, string> }
}

function afterElement(elements: readonly { num_children?: number }[], at: number): number {
  let next = at + 1
  for (let child = 0; child < (elements[at]?.num_children ?? 0); child += 1)
    next = afterElement(elements, next)
  return next
}

/**
 * @param onBytes called with a share of the file's size for each piece that was read
 * @throws DataImportError when the file is damaged
 */
export async function* readParquetRows(
  file: string,
  onBytes: (bytes: number) => void,
): AsyncGenerator<NumberedRow> {
  const { parquetReadObjects, compressors, buffer, metadata } = await openParquet(file)
  const total = Number(metadata.num_rows)
  const floats = new Set(
    metadata.schema.flatMap(({ name, type }) => (type === 'FLOAT' ? [name] : [])),
  )
  for (let start = 0; start < total; start += rowsAtOnce) {
    const end = Math.min(start + rowsAtOnce, total)
    const options = { file: buffer, metadata, compressors, rowStart: start, rowEnd: end }
    const rows = await parquetReadObjects(options).catch((cause: unknown) => damaged(file, cause))
    for (const [offset, row] of rows.entries()) {
      const object = withPlainValues(row, floats)
      yield { line: start + offset + 1, row: (name) => valueAt(object, name) }
    }
    onBytes(((end - start) / total) * buffer.byteLength)
  }
}

function withPlainValues(row: Readonly<Record<string, unknown>>, floats: ReadonlySet<string>) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'number' && floats.has(name) ? shortestFloat32(value) : plainValue(value),
    ]),
  )
}

async function openParquet(file: string) {
  const [hyparquet, { compressors }] = await Promise.all([
    import('hyparquet'),
    import('hyparquet-compressors'),
  ])
  try {
    const buffer = await hyparquet.asyncBufferFromFile(file)
    const metadata = await hyparquet.parquetMetadataAsync(buffer)
    return { ...hyparquet, compressors, buffer, metadata }
  } catch (cause) {
    return damaged(file, cause)
  }
}

function damaged(file: string, cause: unknown): never {
  const reason = cause instanceof Error ? cause.message : String(cause)
  throw new DataImportError(file, `is a damaged Parquet file: ${reason}`, { cause })
}
