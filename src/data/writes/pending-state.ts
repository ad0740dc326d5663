/**
 * Writes that wait for the merge, as searches find them: small catalogues with embeddings, called segments, and ids that are
 * deleted. One process makes them (pending.ts), every serving process reads them.
 */
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'

export interface PendingState {
  /** The last write that is in it. */
  readonly seq: number
  readonly deleted: Partial<Record<DatasetName, readonly number[]>>
  /** The oldest first. An entry counts in the last one that has it, unless it is deleted. */
  readonly segments: readonly PendingSegment[]
}

interface PendingSegment {
  /** Of its folder. */
  readonly name: string
  /** Of its entries, in the order of its rows. */
  readonly ids: Partial<Record<DatasetName, readonly number[]>>
}

/** Of all catalogues of a data folder. */
const pendingFolder = (dataDir: string) => join(dataDir, 'pending')

/** Of one catalogue: a merge that changes it begins another. */
export function pendingFolderOf(dataDir: string, catalogue: Pick<Catalogue, 'datasets'>): string {
  const versions = catalogue.datasets().map(({ name, version }) => `${name} ${version}`)
  return join(pendingFolder(dataDir), hash('sha256', versions.join('\n')).slice(0, 16))
}

const stateFile = (folder: string) => join(folder, 'state.json')
export const segmentCatalogue = (folder: string, segment: string): string =>
  join(folder, segment, 'catalogue.sqlite')
export const segmentEmbeddings = (folder: string, segment: string): string =>
  join(folder, segment, 'embeddings')

/** At once; a reader has the state before it, or this one. It need not survive a crash: the journal does. */
export function writePendingState(folder: string, state: PendingState): void {
  const file = stateFile(folder)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify(state))
  renameSync(`${file}.new`, file)
}

/** Undefined where nothing waits. */
export function readPendingState(folder: string): PendingState | undefined {
  try {
    return JSON.parse(readFileSync(stateFile(folder), 'utf8')) as PendingState
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** What an earlier server has left. */
export function removePending(dataDir: string): void {
  rmSync(pendingFolder(dataDir), { recursive: true, force: true, maxRetries: 3 })
}
