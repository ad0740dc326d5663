/**
 * From a finished build to the collection that is served. The manifest in the build's folder is the
 * decision: once it is there, a publication that is killed is completed by the next build.
 */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../base/util/sync-to-disk.js'
import { writeSynced } from '../../base/util/write-synced.js'
import { type Manifest, type ManifestColumn, readManifest } from './manifest.js'
import { type EmbeddingPaths, hashesName } from './paths.js'

/** @param manifest names files that lie in the build's folder, on disk */
export async function publish(paths: EmbeddingPaths, manifest: Manifest): Promise<void> {
  const temporary = `${decision(paths)}.new`
  await writeSynced(temporary, `${JSON.stringify(manifest, null, 2)}\n`)
  await rename(temporary, decision(paths))
  await syncFolder(paths.building)
  await completePublication(paths)
}

/** Does the rest of a publication that was decided; nothing where none was. */
export async function completePublication(paths: EmbeddingPaths): Promise<void> {
  const manifest = await readManifest(decision(paths))
  if (manifest === undefined) return
  const old = await readManifest(paths.manifest).catch(() => undefined)
  // Files and manifest never disagree: meanwhile there is no manifest.
  await rm(paths.manifest, { force: true })
  const files = [hashesName, ...manifest.columns.flatMap(filesOf)]
  for (const file of files) {
    await rename(join(paths.building, file), join(paths.folder, file)).catch(ignoreMissing)
  }
  for (const file of old?.columns.flatMap(filesOf) ?? []) {
    if (files.includes(file)) continue
    for (const part of ['', '.q8', '.q4'])
      await rm(join(paths.folder, file + part), { force: true })
  }
  await syncFolder(paths.folder)
  await rename(decision(paths), paths.manifest)
  await syncFolder(paths.folder)
  await rm(paths.building, { recursive: true, force: true })
}

const filesOf = ({ file, tokens }: ManifestColumn): string[] =>
  tokens === undefined ? [file] : [file, tokens]

const decision = (paths: EmbeddingPaths) => join(paths.building, 'manifest.json')

/** Renamed before the kill. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}
