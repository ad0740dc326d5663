/** A Chromium of this machine: SYNOPTIC_TEST_BROWSER, else the first that PATH holds. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

export function findBrowser(): string | undefined {
  const { SYNOPTIC_TEST_BROWSER: named = '', PATH = '' } = process.env
  if (named !== '') return named
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  return names
    .flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
    .find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
