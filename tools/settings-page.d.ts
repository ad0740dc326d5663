import type { SettingsTable } from '#synoptic/config/settings.js'

export function settingsPage(text?: string, table?: SettingsTable): string
