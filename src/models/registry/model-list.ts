/** The models that requests may name, for people to choose from. */
import { findFineTuned, listFineTuned } from './fine-tuned.js'
import type { ResolvedModel } from './registry.js'
import { readModelFacts } from '../format/model-facts.js'
import { memoryNeed } from './model-memory.js'

export interface ModelList {
  /** Everything that may be named, installed or not. */
  all(): Promise<ModelNames>
  /** One of them, by its name, or by the label or path of a fine-tuned one; undefined if none is so called. */
  details(name: string): Promise<ModelDetails | undefined>
}

export interface ModelNames {
  /** Short descriptions by name, by category. */
  readonly models: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Paths by label. */
  readonly fine_tuned: Readonly<Record<string, string>>
  /** Routes that take the models of a category, and the fine-tuned ones. */
  readonly endpoints: Readonly<Record<string, readonly string[]>>
}

export interface ModelDetails {
  readonly name: string
  readonly category: string
  readonly description: string
  /** Routes that take it. */
  readonly endpoints: readonly string[]
  /** Whether its files are here. */
  readonly installed: boolean
  /** Length of its vectors; null where that is not known, and of cross-encoders. */
  readonly dimension: number | null
  /** Longest input; what is longer is cut. */
  readonly maximum_tokens: number | null
  /** What its files take on disk; null where they are not here. */
  readonly size_bytes: number | null
  /** What it takes while it is loaded; null where that is not known. */
  readonly memory_bytes: number | null
}

/** A model of a catalogue. */
interface ListedModel extends Omit<ResolvedModel, 'builtin'> {
  /** Other names that requests may use. */
  readonly aliases?: readonly string[] | undefined
}

interface ModelCategory {
  readonly list: () => readonly ListedModel[]
  /** Routes that take its models. */
  readonly endpoints: readonly string[]
}

export interface ModelListOptions {
  /** By the label of the category. */
  readonly categories: Readonly<Record<string, ModelCategory>>
  readonly fineTunedDir: string
  /** Routes that take the models in it. */
  readonly fineTunedEndpoints: readonly string[]
}

export function createModelList({
  categories,
  fineTunedDir,
  fineTunedEndpoints,
}: ModelListOptions): ModelList {
  return {
    async all() {
      const fineTuned = await listFineTuned(fineTunedDir)
      return {
        models: Object.fromEntries(
          Object.entries(categories).map(([category, { list }]) => [
            category,
            Object.fromEntries(list().map(({ name, summary }) => [name, summary])),
          ]),
        ),
        fine_tuned: Object.fromEntries(fineTuned.map(({ label, path }) => [label, path])),
        endpoints: {
          ...Object.fromEntries(
            Object.entries(categories).map(([category, { endpoints }]) => [category, endpoints]),
          ),
          fine_tuned: fineTunedEndpoints,
        },
      }
    },
    async details(name) {
      for (const [category, { list, endpoints }] of Object.entries(categories)) {
        const model = list().find(
          (candidate) => candidate.name === name || candidate.aliases?.includes(name),
        )
        if (model !== undefined) return detailsOf(category, model, endpoints)
      }
      const own = await findFineTuned(name, fineTunedDir)
      if (own === undefined) return undefined
      const summary = `Fine-tuned: ${own.label}.`
      const model = { name: own.path, summary, folder: own.path, installed: true }
      return detailsOf('fine_tuned', { ...model, kind: 'cross-encoder' }, fineTunedEndpoints)
    },
  }
}

async function detailsOf(
  category: string,
  model: ListedModel,
  endpoints: readonly string[],
): Promise<ModelDetails> {
  const { name, summary, folder, installed } = model
  const facts = installed ? await readModelFacts(folder) : undefined
  return {
    name,
    category,
    description: summary,
    endpoints,
    installed,
    dimension: model.dimension ?? facts?.dimension ?? null,
    maximum_tokens: facts?.maxTokens ?? model.maxTokens ?? null,
    size_bytes: facts?.sizeBytes ?? null,
    memory_bytes: (await memoryNeed(model)) ?? null,
  }
}
