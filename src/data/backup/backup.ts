/**
 * `synoptic backup`: copies catalogue, embeddings and journal as they are at one moment. No import or merge runs meanwhile,
 * and a server goes on: writes that it answers later stay in its journal.
 */
import { existsSync, readdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import { BackupError } from '../../base/errors/index.js'
import { withBuildLockInTime } from '../../base/util/build-lock.js'
import { followLink } from '../../base/util/follow-link.js'
import { makeFolder } from '../../base/util/make-folder.js'
import { syncFolder } from '../../base/util/sync-to-disk.js'
import { version } from '../../base/util/version.js'
import { writeSynced } from '../../base/util/write-synced.js'
import type { Settings } from '../../base/config/settings.js'
import { catalogueFile, openCatalogue } from '../catalogue/open-catalogue.js'
import { rowIndexFile } from '../catalogue/row-indexes.js'
import { verifyCatalogue } from '../catalogue/verify-catalogue.js'
import { journalFile, readJournal } from '../writes/journal.js'
import { copyHashed, manifestName, type BackupFile, type BackupManifest } from './manifest.js'

export type BackupSettings = Pick<Settings, 'dataDir' | 'embeddingsDir'>

/** @throws BackupError, CatalogueError, JournalError, and what the file system throws */
export async function backup(
  { dataDir, embeddingsDir }: BackupSettings,
  folder: string,
): Promise<BackupManifest> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new BackupError(folder, 'is not empty; name a new folder')
  const catalogue = followLink(catalogueFile(dataDir))
  await verifyCatalogue(catalogue)
  const files = await withBuildLockInTime(catalogue, async () => {
    makeFolder(folder)
    const copied: BackupFile[] = []
    const copy = async (from: string, path: string, end?: number) => {
      copied.push({ path, ...(await copyHashed(from, join(folder, ...path.split('/')), end)) })
    }
    for (const file of catalogueFiles(catalogue)) await copy(file, `data/${basename(file)}`)
    for (const collection of collectionsIn(embeddingsDir)) await copyCollection(collection, copy)
    // The last: it may lack what the catalogue has, and never the reverse.
    const journal = journalFile(dataDir)
    const { bytes } = readJournal(journal)
    if (bytes > 0) await copy(journal, `data/${basename(journal)}`, bytes)
    return copied
  })
  if (files === undefined)
    throw new BackupError(catalogue, 'is being changed by another process; try again later')
  const manifest: BackupManifest = {
    format: 1,
    by: `synoptic ${version}`,
    createdAt: new Date().toISOString(),
    files,
  }
  const written = join(folder, manifestName)
  await writeSynced(`${written}.new`, `${JSON.stringify(manifest, null, 2)}\n`)
  await rename(`${written}.new`, written)
  await syncFolder(folder)
  return manifest

  function collectionsIn(root: string): { folder: string; path: string }[] {
    if (!existsSync(root)) return []
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => basename(name) === 'manifest.json' && !name.includes('.building'))
      .map((name) => join(root, name, '..'))
      .map((at) => ({ folder: at, path: `embeddings/${relative(root, at).split(sep).join('/')}` }))
  }
}

function catalogueFiles(file: string): string[] {
  const catalogue = openCatalogue(file)
  try {
    const indexes = catalogue.datasets().map((info) => rowIndexFile(file, info))
    return [file, ...indexes.filter((path) => existsSync(path))]
  } finally {
    catalogue.close()
  }
}

/** A build of the same embeddings waits, or is waited for. */
async function copyCollection(
  { folder, path }: { readonly folder: string; readonly path: string },
  copy: (from: string, path: string) => Promise<void>,
): Promise<void> {
  const done = await withBuildLockInTime(join(folder, 'manifest.json'), async () => {
    const entries = readdirSync(folder, { withFileTypes: true })
    for (const entry of entries) {
      const isOwn = entry.isFile() && !entry.name.startsWith('.') && !entry.name.includes('.lock')
      if (isOwn) await copy(join(folder, entry.name), `${path}/${entry.name}`)
    }
    return true
  })
  if (done === undefined)
    throw new BackupError(folder, 'is being built by another process; try again later')
}
