/** The commands of the CLI. Each is loaded when it is called, so `--version` loads no encoder. */
import { mcpSettings } from '../base/config/mcp-settings.js'
import {
  anilistSettings,
  commonSettings,
  embedSettings,
  evalSettings,
  gpuSettings,
  importSettings,
  indexSettings,
  keySettings,
  serverSettings,
  updateSettings,
  type SettingsTable,
} from '../base/config/settings.js'
import type { Command } from './command.js'

export interface CommandEntry {
  /** The settings that the command accepts as flags. */
  readonly settings: SettingsTable
  /** Whether the command accepts no other words. */
  readonly onlySettings?: boolean
  readonly load: () => Promise<Command>
}

/** By name, in the order of the overview. */
export const commands: ReadonlyMap<string, CommandEntry> = new Map([
  [
    'serve',
    {
      ...entry(async () => (await import('./serve.js')).serve, serverSettings),
      onlySettings: true,
    },
  ],
  [
    'mcp',
    { ...entry(async () => (await import('./mcp.js')).mcp, mcpSettings), onlySettings: true },
  ],
  ['search', entry(async () => (await import('./search.js')).search, mcpSettings)],
  ['data init', entry(async () => (await import('./data-init.js')).dataInit)],
  ['data import', entry(async () => (await import('./data-import.js')).dataImport, updateSettings)],
  ['data merge', entry(async () => (await import('./data-merge.js')).dataMerge, importSettings)],
  ['data update', entry(async () => (await import('./data-update.js')).dataUpdate, updateSettings)],
  ['data delete', entry(async () => (await import('./data-delete.js')).dataDelete, embedSettings)],
  ['data list', entry(async () => (await import('./data-list.js')).dataList)],
  ['data index', entry(async () => (await import('./data-index.js')).dataIndex)],
  ['data export', entry(async () => (await import('./data-export.js')).dataExport)],
  ['data pull', entry(async () => (await import('./data-pull.js')).dataPull, anilistSettings)],
  ['models add', entry(async () => (await import('./models-list.js')).modelsAdd)],
  ['models pull', entry(async () => (await import('./models-pull.js')).modelsPull)],
  ['models check', entry(async () => (await import('./models-check.js')).modelsCheck)],
  ['models export', entry(async () => (await import('./models-export.js')).modelsExport)],
  ['models quantize', entry(async () => (await import('./models-quantize.js')).modelsQuantize)],
  ['models list', entry(async () => (await import('./models-list.js')).modelsList)],
  ['embed build', entry(async () => (await import('./embed.js')).embedBuild, embedSettings)],
  [
    'embed import',
    entry(async () => (await import('./embed-import.js')).embedImport, embedSettings),
  ],
  [
    'embed publish',
    entry(async () => (await import('./embed-publish.js')).embedPublish, indexSettings),
  ],
  ['embed status', entry(async () => (await import('./embed.js')).embedStatus)],
  ['backup', entry(async () => (await import('./backup.js')).backup)],
  ['restore', entry(async () => (await import('./backup.js')).restore)],
  ['compile', entry(async () => (await import('./compile.js')).compile)],
  ['gpu install', entry(async () => (await import('./gpu-install.js')).gpuInstall)],
  [
    'index status',
    entry(async () => (await import('./index-status.js')).indexStatus, indexSettings),
  ],
  [
    'index recall',
    entry(async () => (await import('./index-recall.js')).indexRecall, indexSettings),
  ],
  ['gpu plan', entry(async () => (await import('./gpu-plan.js')).gpuPlan, gpuSettings)],
  ['gpu status', entry(async () => (await import('./gpu-status.js')).gpuStatus)],
  ['keys add', entry(async () => (await import('./keys.js')).keysAdd, keySettings)],
  ['keys list', entry(async () => (await import('./keys.js')).keysList, keySettings)],
  ['keys revoke', entry(async () => (await import('./keys.js')).keysRevoke, keySettings)],
  ['eval', entry(async () => (await import('./eval.js')).evaluate, evalSettings)],
  ['ranker fit', entry(async () => (await import('./ranker-fit.js')).rankerFit, evalSettings)],
  [
    'anilist check',
    entry(async () => (await import('./anilist.js')).anilistCheck, anilistSettings),
  ],
])

function entry(
  load: () => Promise<Command>,
  settings: SettingsTable = commonSettings,
): CommandEntry {
  return { load, settings }
}
