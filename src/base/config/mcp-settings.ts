/** Settings of `synoptic mcp`: those of a server that concern what is found, and no network. */
import { indexRows } from './index-rows.js'
import { commonSettings, serverSettings } from './settings.js'
import type { SettingsOf } from './setting.js'

const {
  fineTunedDir,
  threads,
  crossEncoder,
  searchEncoder,
  adult,
  popularity,
  rankerWeights,
  vocabulary,
} = serverSettings
const { idleTimeout, modelMemoryLimit, queryCache, device, logFile, logLevel } = serverSettings

export const mcpSettings = {
  ...commonSettings,
  fineTunedDir,
  threads,
  crossEncoder,
  searchEncoder,
  adult,
  popularity,
  rankerWeights,
  vocabulary,
  idleTimeout,
  modelMemoryLimit,
  queryCache,
  device,
  ...indexRows,
  logFile: { ...logFile, default: 'none' },
  logLevel,
} as const

export type McpSettings = SettingsOf<typeof mcpSettings>
