/** Which entries of a dataset are on the lists of files, which are read once. */
import type { Catalogue, DatasetName } from '../catalogue/catalogue.js'
import { readListFile, type FileEntry } from './list-file.js'
import type { Logger } from './logger.js'
import { statusesOf, type ListStatuses, type UserLists } from './user-lists.js'

export interface FileListsOptions {
  readonly catalogue: Pick<Catalogue, 'rowsOfSite'>
  readonly files: readonly string[]
  readonly logger: Logger
}

const failedNote = 'A file of --lists-file could not be read. Its entries count as not on a list.'

export function createFileLists({ catalogue, files, logger }: FileListsOptions): UserLists {
  const reading = Promise.all(
    files.map(async (file): Promise<readonly FileEntry[] | undefined> => {
      try {
        const entries = await readListFile(file)
        logger.info({ file, entries: entries.length }, 'read the lists of a file')
        return entries
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        logger.error({ file }, `the lists of ${file} could not be read: ${reason}`)
        return undefined
      }
    }),
  )
  const found = new Map<DatasetName, ListStatuses>()
  return {
    async lookUp(dataset) {
      const lists = await reading
      const known = found.get(dataset)
      if (known !== undefined) return known
      const entries = lists.flatMap((list) => list ?? [])
      const ofDataset = entries.filter((one) => (one.dataset ?? dataset) === dataset)
      const note = lists.includes(undefined) ? failedNote : null
      const statuses = { statuses: statusesOf(catalogue, dataset, ofDataset), note }
      found.set(dataset, statuses)
      return statuses
    },
    close: () => undefined,
  }
}
