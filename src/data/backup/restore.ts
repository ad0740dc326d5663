/**
 * `synoptic restore`: checks every file of a backup, copies all of them next to where they belong, and only then replaces
 * anything. The catalogue comes last, so a restore that is killed is run again.
 */
import { existsSync, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BackupError } from '../../base/errors/index.js'
import { hashFile } from '../embed/file-hash.js'
import { withBuildLockInTime } from '../../base/util/build-lock.js'
import { followLink } from '../../base/util/follow-link.js'
import { makeFolder } from '../../base/util/make-folder.js'
import { servingProcesses } from '../../base/util/serving-processes.js'
import { syncFolder } from '../../base/util/sync-to-disk.js'
import { catalogueFile } from '../catalogue/open-catalogue.js'
import { journalFile } from '../writes/journal.js'
import type { BackupSettings } from './backup.js'
import { copyHashed, readBackupManifest, type BackupFile, type BackupManifest } from './manifest.js'

export interface RestoreOptions {
  /** Whether a catalogue that is there may be replaced. */
  readonly force: boolean
}

/** @throws BackupError where nothing was changed, and what the file system throws */
export async function restore(
  { dataDir, embeddingsDir }: BackupSettings,
  folder: string,
  { force }: RestoreOptions,
): Promise<BackupManifest> {
  const manifest = readBackupManifest(folder)
  for (const file of manifest.files) await check(folder, file)
  makeFolder(dataDir)
  const serving = servingProcesses(dataDir)
  if (serving.length > 0)
    throw new BackupError(
      dataDir,
      `is being served (process ${serving.join(', ')}); stop the server first`,
    )
  const catalogue = followLink(catalogueFile(dataDir))
  if (existsSync(catalogue) && !force)
    throw new BackupError(catalogue, 'is there already; --force replaces it with the backup')
  const done = await withBuildLockInTime(catalogue, async () => {
    const placed = manifest.files.map((file) => ({ file, to: placeOf(file) }))
    for (const { file, to } of placed) {
      const { sha256 } = await copyHashed(join(folder, ...file.path.split('/')), aside(to))
      if (sha256 !== file.sha256) throw damaged(folder, file)
    }
    // Without its embeddings' manifests, and without old writes, no moment mixes what is old and new.
    for (const { to } of placed) if (to.endsWith('manifest.json')) await rm(to, { force: true })
    await rm(journalFile(dataDir), { force: true })
    const isCatalogue = ({ to }: { to: string }) => to === catalogue
    for (const one of placed) if (!isCatalogue(one)) await rename(aside(one.to), one.to)
    for (const place of new Set(placed.map(({ to }) => dirname(to)))) await syncFolder(place)
    for (const one of placed.filter(isCatalogue)) await rename(aside(one.to), one.to)
    await syncFolder(dirname(catalogue))
    return true
  })
  if (done === undefined)
    throw new BackupError(catalogue, 'is being changed by another process; try again later')
  return manifest

  function placeOf({ path }: BackupFile): string {
    const [root, ...names] = path.split('/')
    if (root === 'embeddings') return join(embeddingsDir, ...names)
    const place = join(dirname(catalogue), ...names)
    return place === join(dirname(catalogue), 'writes.journal') ? journalFile(dataDir) : place
  }
}

const aside = (path: string) => `${path}.restoring`

async function check(folder: string, file: BackupFile): Promise<void> {
  const path = join(folder, ...file.path.split('/'))
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new BackupError(path, 'is missing')
  if (size !== file.bytes || (await hashFile(path)) !== file.sha256) throw damaged(folder, file)
}

const damaged = (folder: string, { path }: BackupFile) =>
  new BackupError(
    join(folder, ...path.split('/')),
    'differs from its checksum; the backup is damaged',
  )
