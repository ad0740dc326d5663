/** The pages of works as resources: `synoptic://anime/1535` is what get_entry returns for it, without spoilers. */
import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
import { createEntryIds } from '../http/entry-ids.js'
import { createEntryBody } from '../http/entry-body.js'
import type { ToolServices } from './tool.js'

const mimeType = 'application/json'

const templateOf = (dataset: DatasetName) => ({
  uriTemplate: `synoptic://${dataset}/{id}`,
  name: dataset,
  title: `The page of one ${dataset}`,
  description: `Texts, facts, tags, links and franchise of one ${dataset}, by its id.`,
  mimeType,
})

export interface Resources {
  readonly templates: readonly ReturnType<typeof templateOf>[]
  /** @throws ResourceNotFoundError */
  read(uri: string): Promise<{ contents: { uri: string; mimeType: string; text: string }[] }>
}

type ResourceServices = Pick<ToolServices, 'browse' | 'catalogue' | 'entryIds'>

export function createResources(
  services: ResourceServices | Promise<ResourceServices>,
  datasets: readonly DatasetName[],
  hasTextIds = false,
): Resources {
  const bodyOf = createEntryBody()
  return {
    templates: datasets.map(templateOf),
    async read(uri) {
      const { dataset, word } = partsOf(uri, datasets)
      const { browse, catalogue, entryIds } = await services
      const textIds = hasTextIds ? (entryIds ?? createEntryIds(catalogue)).of(dataset) : undefined
      const id = textIds?.find(word) ?? (isDigits.test(word) ? Number(word) : undefined)
      const entry = id === undefined ? undefined : await browse.entry(dataset, id)
      if (entry === undefined) {
        throw new ResourceNotFoundError(uri, `there is no ${dataset} with this id`)
      }
      const body = { dataset, ...bodyOf(dataset, entry) }
      const text = JSON.stringify(textIds?.toShown(body) ?? body)
      return { contents: [{ uri, mimeType, text }] }
    },
  }
}

const isDigits = /^\d{1,15}$/
const pattern = /^synoptic:\/\/([a-z][a-z0-9-]*)\/([^/?#]{1,600})$/

function partsOf(
  uri: string,
  datasets: readonly DatasetName[],
): { readonly dataset: DatasetName; readonly word: string } {
  const [, name, word = ''] = pattern.exec(uri) ?? []
  const dataset = datasets.find((known) => known === name)
  if (dataset !== undefined) return { dataset, word: decoded(word) }
  const templates = datasets.map((name) => templateOf(name).uriTemplate).join(' or ')
  throw new ResourceNotFoundError(uri, `expected ${templates}`)
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
