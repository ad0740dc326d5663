/** What a tool is, and what the tools work with. */
import type * as v from 'valibot'
import type { AdultWorks } from '../../base/config/work-kinds.js'
import type { Catalogue } from '../../data/catalogue/catalogue.js'
import type { Browse } from '../../search/browse/browse.js'
import type { EntryIds } from '../http/entry-ids.js'
import type { RankedSearchService } from '../../search/service/ranked-search.js'
import type { Recommend } from '../../search/service/recommend.js'
import type { SearchService } from '../../search/service/service.js'

export interface ToolServices {
  readonly catalogue: Pick<Catalogue, 'datasets' | 'dataset' | 'entry' | 'text' | 'rowOfId'>
  /** Made of the catalogue where absent. */
  readonly entryIds?: EntryIds
  readonly ranked: RankedSearchService
  readonly recommend: Recommend
  readonly similar: Pick<SearchService, 'neighbours'>
  readonly browse: Pick<Browse, 'entry' | 'titled' | 'titleOf'>
  /** What happens to works for adults where a call does not say. */
  readonly adult: AdultWorks
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What it takes. */
  readonly schema: v.GenericSchema
  /** What it returns. */
  readonly output: v.GenericSchema
  /** @param input what the schema has accepted */
  run(input: unknown, call: ToolCall): Promise<object>
}

export interface ToolCall {
  readonly signal: AbortSignal
  /** Called with the text that is searched, for a log that includes queries. */
  readonly onQuery: (query: string) => void
  /** Called with the milliseconds of each phase. */
  readonly onTimings: (timings: object) => void
}

/** Gives `run` the type of what its schema returns. */
export function tool<Schema extends v.GenericSchema>({
  schema,
  run,
  ...rest
}: Omit<Tool, 'schema' | 'run'> & {
  readonly schema: Schema
  readonly run: (input: v.InferOutput<Schema>, call: ToolCall) => Promise<object>
}): Tool {
  return { ...rest, schema, run: (input, call) => run(input, call) }
}
