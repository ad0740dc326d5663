import type { SettingsTable } from '#synoptic/base/config/settings.js'

export function settingsPage(text?: string, table?: SettingsTable): string
