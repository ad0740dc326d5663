/** What would help where nothing fits well: what distinguishes works and the query does not say. */
import type { Interpretation } from '../reader/interpretation.js'
import { memories, type Memory } from './ranked-search.js'

const saidBy: Readonly<Partial<Record<Memory, string>>> = { year: 'years', type: 'type' }

export function toRemember(interpretation: Interpretation | undefined): readonly Memory[] {
  const said = new Set(interpretation?.readings.map(({ kind }): string => kind))
  return memories.filter((memory) => !said.has(saidBy[memory] ?? ''))
}
