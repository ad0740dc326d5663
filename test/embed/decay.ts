/** A built workshop whose files may decay. */
import { closeSync, openSync, readSync, utimesSync, writeSync } from 'node:fs'
import { copyMadeOnce } from '../helpers/made-once.js'
import { manyTexts, openWorkshop, type Workshop } from './workshop.js'

/** A matrix of 64 KiB: its middle is neither among its first nor its last 16 KiB. */
export const rows = 4096
export const middle = 32_768

/** Flips the sign of a value, as a disk may; the file's time stays. */
export function decay(path: string, at: number): void {
  const file = openSync(path, 'r+')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, at)
  writeSync(file, Buffer.from([byte.readUInt8() ^ 0x80]), 0, 1, at)
  closeSync(file)
  utimesSync(path, 1e9, 1e9)
}

interface BuiltWorkshop extends Workshop {
  readonly columns: Awaited<ReturnType<Workshop['build']>>['columns']
  readonly path: string
  readonly other: string
}

export async function builtWorkshop(): Promise<BuiltWorkshop> {
  const workshop = openWorkshop(manyTexts(rows))
  await copyMadeOnce('decaying', workshop.embeddingsDir, async (embeddingsDir) => {
    await openWorkshop(manyTexts(rows)).build({ embeddingsDir })
  })
  const { columns } = await workshop.build()
  const [path = '', other = ''] = columns.map((column) => column.path)
  for (const file of [path, other]) utimesSync(file, 1e9, 1e9)
  return { ...workshop, columns, path, other }
}
