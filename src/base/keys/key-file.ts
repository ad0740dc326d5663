/** The file of `--api-keys`: read whole, and written aside and renamed, so that no reader sees half of it. */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { SettingsError } from '../errors/index.js'
import { withBuildLock } from '../util/build-lock.js'
import { replaceFile } from '../util/replace-file.js'
import { schemaProblems } from '../util/schema-problems.js'
import { systemReason } from '../util/system-reason.js'
import { keyFile, type KeyRecord } from './key-record.js'

/** @throws SettingsError where there is no such file, or what is in it is not a list of keys */
export function readKeyFile(file: string): readonly KeyRecord[] {
  const content = parse(file)
  const checked = v.safeParse(keyFile, content)
  if (checked.success) return checked.output.keys
  throw new SettingsError(
    schemaProblems(checked.issues, 'the file').map((problem) => `--api-keys ${file}: ${problem}`),
  )
}

/**
 * Replaces the keys of the file by what `change` returns; makes the file where there is none. Of two changes
 * at once, one is refused.
 * @throws SettingsError
 */
export async function changeKeyFile(
  file: string,
  change: (keys: readonly KeyRecord[]) => readonly KeyRecord[],
): Promise<void> {
  const done = await withBuildLock(file, async () => {
    write(file, change(readIfPresent(file)))
    return Promise.resolve(true)
  })
  if (done !== true) {
    throw new SettingsError([`--api-keys ${file}: another command is changing it; try again`])
  }
}

function readIfPresent(file: string): readonly KeyRecord[] {
  try {
    return readKeyFile(file)
  } catch (error) {
    if (error instanceof SettingsError && isMissing(error.cause)) return []
    throw error
  }
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown
  } catch (cause) {
    throw Object.assign(new SettingsError([`--api-keys ${file}: ${reasonOf(cause)}`]), { cause })
  }
}

/** The message of a JSON error may quote the file. */
function reasonOf(cause: unknown): string {
  if (isMissing(cause)) return 'there is no such file; `synoptic keys add <name>` makes one'
  if (cause instanceof SyntaxError) return 'expected JSON'
  return systemReason(cause)
}

const isMissing = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'

/** Readable for its owner alone: it holds no key, but who has one. */
function write(file: string, keys: readonly KeyRecord[]): void {
  replaceFile(file, `${JSON.stringify({ keys }, null, 2)}\n`, 0o600)
}
