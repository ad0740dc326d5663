/** Files that may be links: to be replaced where they lie, not where they are named. */
import { readlinkSync, realpathSync } from 'node:fs'

/** Where a link leads that leads nowhere; undefined for anything else. */
export function danglingTarget(path: string): string | undefined {
  return realFile(path) === undefined ? orUndefined(() => readlinkSync(path)) : undefined
}

/** The file behind a link, or behind several; any other path as it is. */
export const followLink = (path: string): string => realFile(path) ?? path

const realFile = (path: string) => orUndefined(() => realpathSync(path))

function orUndefined(read: () => string): string | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
