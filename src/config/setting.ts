/** A row of a settings table, and the settings that a table yields. */
import type * as v from 'valibot'

export interface Setting<T> {
  /** Accepts a word of the command line or a value of the configuration file. */
  readonly schema: v.GenericSchema<unknown, T>
  /** As a user writes it. */
  readonly default: string | number | boolean
  /** Placeholder of the value in help texts; empty for a switch. */
  readonly value: string
  readonly help: string
}

export type SettingsOf<Table extends SettingsTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never
}
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>

export function row<T>(
  schema: v.GenericSchema<unknown, T>,
  fallback: string | number | boolean,
  value: string,
  help: string,
): Setting<T> {
  return { schema, default: fallback, value, help }
}
