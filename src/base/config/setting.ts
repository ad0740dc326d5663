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
  /** Folders that other settings name, in which this one is unless it is given: the first that is given counts. */
  readonly within?: readonly Within[]
}

export interface Within {
  readonly setting: string
  readonly path: string
  /** Whether it counts only if something is there. */
  readonly ifPresent?: boolean
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
  within: readonly Within[] = [],
): Setting<T> {
  return { schema, default: fallback, value, help, within }
}

/** For `within`: a place in the folder that --home names. */
export const inHome = (path: string): readonly Within[] => [{ setting: 'home', path }]
