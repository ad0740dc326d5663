/**
 * The files of a map, in the folder of the matrices that it was made from: a manifest, `map.json`, and the map itself,
 * compressed, once with works for adults and once without. The manifest is written last and says what the map was
 * made from, so that one of other texts or of another model is never served.
 */
import { createHash } from 'node:crypto'
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import * as v from 'valibot'
import { syncFolder } from '../../base/util/sync-to-disk.js'
import { version } from '../../base/util/version.js'
import { writeSynced } from '../../base/util/write-synced.js'
import type { MapData } from './map-data.js'

const body = v.object({
  file: v.pipe(v.string(), v.regex(/^map-[0-9a-f]{16}\.json\.gz$/)),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
})

const manifestFile = v.object({
  format: v.literal(2),
  builder: v.string(),
  dataset: v.string(),
  datasetVersion: v.string(),
  model: v.string(),
  modelRevision: v.string(),
  /** Of all works, and without works for adults. */
  all: body,
  general: body,
})

export type MapManifest = v.InferOutput<typeof manifestFile>
type MapBody = v.InferOutput<typeof body>
/** What a map is made from. */
export type MapOrigin = Pick<MapManifest, 'dataset' | 'datasetVersion' | 'model' | 'modelRevision'>

export const mapManifest = (folder: string): string => join(folder, 'map.json')

/** Undefined where there is none that this version can read. */
export async function readMapManifest(folder: string): Promise<MapManifest | undefined> {
  const text = await readFile(mapManifest(folder), 'utf8').catch(() => '')
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), manifestFile), text)
  return result.success ? result.output : undefined
}

/** Whether the map is of that origin. */
export const isMapOf = (manifest: MapManifest, origin: MapOrigin): boolean =>
  (['dataset', 'datasetVersion', 'model', 'modelRevision'] as const).every(
    (name) => manifest[name] === origin[name],
  )

/** Puts a map in the place of the one before. */
export async function writeMap(
  folder: string,
  origin: MapOrigin,
  { all, general }: { readonly all: MapData; readonly general: MapData },
): Promise<void> {
  const bodies = { all: await writeBody(folder, all), general: await writeBody(folder, general) }
  const manifest: MapManifest = { format: 2, builder: `synoptic ${version}`, ...origin, ...bodies }
  await publish(folder, `${JSON.stringify(manifest, null, 2)}\n`)
  const kept = new Set([bodies.all.file, bodies.general.file])
  for (const name of await readdir(folder)) {
    const isOld = /^map-[0-9a-f]{16}\.json\.gz$/.test(name) && !kept.has(name)
    if (isOld) await rm(join(folder, name), { force: true })
  }
}

/** Requests a map: the next renewal of maps makes it. An existing map stays. */
export async function requestMap(folder: string): Promise<void> {
  await writeFile(mapManifest(folder), '{}\n', { flag: 'wx' }).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  })
}

const compress = promisify(gzip)

async function writeBody(folder: string, data: MapData): Promise<MapBody> {
  const bytes = await compress(JSON.stringify(data), { level: 9 })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = `map-${sha256.slice(0, 16)}.json.gz`
  await writeWhole(folder, file, bytes)
  return { file, sha256 }
}

const publish = (folder: string, text: string) => writeWhole(folder, 'map.json', Buffer.from(text))

async function writeWhole(folder: string, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = join(folder, `${name}.new`)
  try {
    await writeSynced(temporary, bytes)
    await rename(temporary, join(folder, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(folder)
}
