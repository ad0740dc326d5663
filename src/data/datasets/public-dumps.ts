/** Dumps of whole catalogues that their makers offer for download, and how a copy of them is kept fresh. */
import { join } from 'node:path'
import type { DatasetName, Origin } from '../catalogue/catalogue.js'
import {
  refreshFile,
  type RefreshedFile,
  type RefreshOptions,
} from '../../base/download/refresh-file.js'
import { origin as animeOfflineDatabase } from './known/anime-offline-database.js'
import { origin as mangaBaka } from './known/mangabaka.js'

export interface PublicDump {
  /** As `data update --from` names it. */
  readonly name: string
  readonly dataset: DatasetName
  readonly origin: Origin
  /** Address of the folder that holds the file. */
  readonly folder: string
  readonly file: string
  /** Some ten times as much as it has now. */
  readonly maxBytes: number
  /** A file in the same folder that holds its SHA-1. */
  readonly checksum?: string
}

export const publicDumps: readonly PublicDump[] = [
  {
    name: 'anime-offline-database',
    dataset: 'anime',
    origin: animeOfflineDatabase,
    folder: 'https://github.com/manami-project/anime-offline-database/releases/latest/download/',
    // Not every Node can unpack zstd.
    file: 'anime-offline-database.jsonl',
    maxBytes: 2 ** 30,
  },
  {
    name: 'mangabaka',
    dataset: 'manga',
    origin: mangaBaka,
    folder: 'https://api.mangabaka.dev/v1/database/',
    file: 'series.sqlite.tar.gz',
    maxBytes: 4 * 2 ** 30,
    checksum: 'series.sqlite.tar.gz.sha1',
  },
]

export interface KeptDump extends RefreshedFile {
  readonly dump: PublicDump
  readonly path: string
}

/**
 * Fetches the dump unless the copy in the folder is that of its makers.
 * @param mirror address of a folder with files of the same names
 */
export async function refreshDump(
  dump: PublicDump,
  folder: string,
  options: Pick<RefreshOptions, 'signal' | 'onRetry' | 'onProgress'> & {
    readonly mirror?: string | undefined
  },
): Promise<KeptDump> {
  const { mirror, ...others } = options
  const base = mirror === undefined ? dump.folder : mirror.replace(/(?<!\/)\/*$/, '/')
  const path = join(folder, dump.file)
  const checksumUrl = dump.checksum === undefined ? undefined : base + dump.checksum
  const { maxBytes } = dump
  const files = { url: base + dump.file, checksumUrl, file: path, maxBytes }
  const refreshed = await refreshFile({ ...others, ...files })
  return { ...refreshed, dump, path }
}
