/** The pages of works as resources: `synoptic://anime/1535` is what get_entry returns for it, without spoilers. */
import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { DatasetName } from '../../data/catalogue/catalogue.js'
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

export function createResources(
  services: Pick<ToolServices, 'browse'> | Promise<Pick<ToolServices, 'browse'>>,
  datasets: readonly DatasetName[],
): Resources {
  const bodyOf = createEntryBody()
  return {
    templates: datasets.map(templateOf),
    async read(uri) {
      const { dataset, id } = partsOf(uri, datasets)
      const { browse } = await services
      const entry = await browse.entry(dataset, id)
      if (entry === undefined) {
        throw new ResourceNotFoundError(uri, `there is no ${dataset} with this id`)
      }
      const text = JSON.stringify({ dataset, ...bodyOf(dataset, entry) })
      return { contents: [{ uri, mimeType, text }] }
    },
  }
}

const pattern = /^synoptic:\/\/([a-z][a-z0-9-]*)\/(\d{1,15})$/

function partsOf(
  uri: string,
  datasets: readonly DatasetName[],
): { readonly dataset: DatasetName; readonly id: number } {
  const [, name, digits] = pattern.exec(uri) ?? []
  const dataset = datasets.find((known) => known === name)
  if (dataset !== undefined) return { dataset, id: Number(digits) }
  const templates = datasets.map((name) => templateOf(name).uriTemplate).join(' or ')
  throw new ResourceNotFoundError(uri, `expected ${templates}`)
}
