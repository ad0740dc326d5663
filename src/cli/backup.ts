/** `synoptic backup` and `synoptic restore`. */
import { backup as makeBackup } from '../data/backup/backup.js'
import type { BackupManifest } from '../data/backup/manifest.js'
import { restore as restoreBackup } from '../data/backup/restore.js'
import { SettingsError } from '../base/errors/index.js'
import { counted } from '../base/util/counted.js'
import type { Command } from './command.js'
import { parseWords } from './parse-words.js'
import { print } from './print.js'

export const backup: Command = {
  name: 'backup',
  summary: 'Copies catalogue, embeddings and journal to a folder, also while a server runs.',
  help: `Usage: synoptic backup FOLDER

Copies what cannot be made again from the included works, as it is at one moment, with a checksum
for each file. Models, settings and keys are not in it. A backup that was not finished is refused by
\`synoptic restore\`.

Example:
  synoptic backup backups/monday`,
  run: async (argv, settings) => {
    const { positionals } = parseWords('backup', argv, {})
    const folder = onlyFolder('backup', positionals)
    print(describe(await makeBackup(settings, folder), folder))
    return 0
  },
}

export const restore: Command = {
  name: 'restore',
  summary: 'Puts a backup in the place of the catalogue and its embeddings.',
  help: `Usage: synoptic restore [--force] FOLDER

Compares every file of the backup with its checksum first, and changes nothing if one differs. Stop
the server before.

  --force  Replaces a catalogue that is there.

Example:
  synoptic restore backups/monday`,
  run: async (argv, settings) => {
    const { positionals, values } = parseWords('restore', argv, { force: { type: 'boolean' } })
    const folder = onlyFolder('restore', positionals)
    const { force = false } = values
    print(describe(await restoreBackup(settings, folder, { force }), folder))
    return 0
  },
}

/** @throws SettingsError */
function onlyFolder(command: string, words: readonly string[]): string {
  const [folder, ...others] = words
  if (folder !== undefined && others.length === 0) return folder
  throw new SettingsError([
    `${command}: expected one folder, received ${words.join(' ') || 'none'}`,
  ])
}

function describe({ files, createdAt }: BackupManifest, folder: string): string {
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6
  return `${folder}: ${counted(files.length, 'file', 'files')}, ${megabytes.toFixed(1)} MB, of ${createdAt}\n`
}
