/**
 * An export as a Parquet file: a column for each member, lists as lists, trees as JSON, and a group `texts` with
 * a column for each synopsis. Row groups are small, so that few entries are in memory.
 */
import type { SchemaElement } from 'hyparquet'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import { memberKinds, type ExportedRow, type MemberKind } from './exported-row.js'

const rowsPerGroup = 5000

export interface ParquetFacts {
  readonly columns: readonly string[]
  /** Whether ids are texts. */
  readonly hasTextIds: boolean
  /** Kept in the file's own metadata. */
  readonly about: Readonly<Record<string, string>>
}

export async function writeParquet(
  file: string,
  rows: Iterable<ExportedRow>,
  { columns, hasTextIds, about }: ParquetFacts,
): Promise<void> {
  const writer = new ParquetWriter({
    writer: fileWriter(file),
    schema: schemaOf(columns, hasTextIds),
    createdBy: 'synoptic',
    kvMetadata: Object.entries(about).map(([key, value]) => ({ key, value })),
  })
  let group: ExportedRow[] = []
  const flush = async () => {
    if (group.length > 0)
      await writer.write({ columnData: columnsOf(group, hasTextIds), rowGroupSize: rowsPerGroup })
    group = []
  }
  for (const row of rows) if (group.push(row) === rowsPerGroup) await flush()
  await flush()
  await writer.finish()
}

function schemaOf(columns: readonly string[], hasTextIds: boolean): SchemaElement[] {
  const members = Object.entries({ ...memberKinds, ...(hasTextIds && { id: 'text' as const }) })
  return [
    { name: 'root', num_children: members.length + 1 },
    ...members.flatMap(([name, kind]) => elementsOf(name, kind)),
    { name: 'texts', repetition_type: 'REQUIRED', num_children: columns.length },
    ...columns.map((column) => textElement(column)),
  ]
}

const textElement = (name: string): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  repetition_type: 'OPTIONAL',
})

function elementsOf(name: string, kind: MemberKind): SchemaElement[] {
  switch (kind) {
    case 'id':
      return [{ name, type: 'INT64', repetition_type: 'REQUIRED' }]
    case 'text':
      return [textElement(name)]
    case 'integer':
      return [{ name, type: 'INT32', repetition_type: 'OPTIONAL' }]
    case 'number':
      return [{ name, type: 'DOUBLE', repetition_type: 'OPTIONAL' }]
    case 'boolean':
      return [{ name, type: 'BOOLEAN', repetition_type: 'OPTIONAL' }]
    case 'tree':
      return [{ name, type: 'BYTE_ARRAY', converted_type: 'JSON', repetition_type: 'OPTIONAL' }]
    case 'list':
      return [
        { name, converted_type: 'LIST', repetition_type: 'OPTIONAL', num_children: 1 },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        textElement('element'),
      ]
  }
}

function columnsOf(group: readonly ExportedRow[], hasTextIds: boolean) {
  const members = Object.entries(memberKinds).map(([name, kind]) => ({
    name,
    data: group.map(({ members }) =>
      kind === 'id' && !hasTextIds ? BigInt(Number(members[name])) : members[name],
    ),
  }))
  return [...members, { name: 'texts', data: group.map(({ texts }) => texts) }]
}
