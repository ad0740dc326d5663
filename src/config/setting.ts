/** A row of a settings table, and what a table of them makes. */
import type * as v from 'valibot'

export interface Setting<T> {
  /** Takes a word of the command line or a value of the configuration file. */
  readonly schema: v.GenericSchema<unknown, T>
  /** In the form a user would write. */
  readonly default: string | number | boolean
  /** Placeholder of the value in help texts; empty for a switch, which is on where it is named. */
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
