/** What an import is given: mappings, each with its file, and data sets that are known by sight. */
import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { inDatasetOrder } from '../catalogue/catalogue.js'
import { DataImportError } from '../../base/errors/index.js'
import type { Input } from './input.js'
import { worksOrigin } from './join-works.js'
import { joinKnown } from './known/join-known.js'
import { recognize } from './known/recognize.js'
import { readMapping } from './mapping.js'
import { requireRegular } from './regular-file.js'
import { systemReason } from '../../base/util/system-reason.js'

export interface SizedInput extends Input {
  readonly bytes: number
}

export const sized = (input: Input): SizedInput => ({ ...input, bytes: statSync(input.file).size })

/**
 * @param paths of mappings and of data sets
 * @param from folder of the mappings' files; left out, each mapping's own folder
 * @throws DataImportError
 */
export async function readInputs(
  paths: readonly string[],
  from: string | undefined,
): Promise<readonly SizedInput[]> {
  const known = new Set<SizedInput>()
  const inputs: SizedInput[] = []
  for (const path of paths) {
    const bySight = isFile(path) ? await recognize(path) : undefined
    const input = bySight === undefined ? await readInput(path, from) : sized(bySight)
    if (bySight !== undefined) known.add(input)
    inputs.push(input)
  }
  return inDatasetOrder(inputs.map(({ mapping }) => mapping.dataset)).flatMap((name) =>
    joinKnown(
      inputs.filter(({ mapping }) => mapping.dataset === name),
      known,
    ),
  )
}

/** What is not a file is reported where its mapping is read. */
const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true

async function readInput(path: string, from: string | undefined): Promise<SizedInput> {
  const mapping = await readMapping(path)
  const file = resolve(from ?? dirname(path), mapping.file)
  try {
    requireRegular(file)
    return sized({ mapping, file, origin: worksOrigin(file) })
  } catch (cause) {
    if (cause instanceof DataImportError) throw cause
    const remedy = from === undefined ? '; name its folder with --from' : ''
    throw new DataImportError(file, `cannot be read: ${systemReason(cause)}${remedy}`, { cause })
  }
}
