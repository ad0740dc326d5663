/** What the clients are generated from: the document of a server, without what is particular to that server. */

/** Operations whose members the Python client takes as keywords, and those that it takes by their places. */
const keywords = {
  SearchModelOptions: { id: 'searchModelAnime', leaveOut: ['description', 'descriptions'] },
  SearchOptions: { id: 'searchAnime', leaveOut: ['query', 'queries'] },
  SimilarOptions: { id: 'similarAnime', leaveOut: [] },
  TitlesOptions: { id: 'completeAnimeTitles', leaveOut: ['prefix'] },
}

/** Which models there are depends on the server. */
export function withoutModels(node) {
  if (Array.isArray(node)) return node.map(withoutModels)
  if (typeof node !== 'object' || node === null) return node
  const names = Array.isArray(node.enum) && node.enum.includes('builtin/static-en')
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !(names && key === 'enum'))
      .map(([key, value]) => [key, withoutModels(value)]),
  )
}

/** @returns of each operation its id, method, path, and names in the query */
export function operationsOf({ paths }) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters = [] }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
    })),
  )
}

/** A document that has only the schemas of answers: what is sent are dictionaries in Python. */
export function answersOf(document) {
  const { schemas } = document.components
  const isSent = (name) => /Request$|^McpMessage$/.test(name)
  return documentOf(
    document,
    Object.fromEntries(Object.entries(schemas).filter(([name]) => !isSent(name))),
  )
}

/** A document of the keywords: members of the body and the query of an operation, side by side. */
export function keywordsOf(document) {
  return documentOf(
    document,
    Object.fromEntries(
      Object.entries(keywords).map(([title, { id, leaveOut }]) => {
        const operation = Object.values(document.paths)
          .flatMap((item) => Object.values(item))
          .find(({ operationId }) => operationId === id)
        const reference = operation.requestBody?.content['application/json'].schema.$ref
        const body = document.components.schemas[reference?.split('/').at(-1)]?.properties ?? {}
        const query = Object.fromEntries(
          (operation.parameters ?? [])
            .filter((one) => one.in === 'query')
            .map(({ name, description, schema }) => [name, { ...schema, description }]),
        )
        const members = Object.entries({ ...body, ...query })
        const properties = Object.fromEntries(members.filter(([name]) => !leaveOut.includes(name)))
        return [title, { title, type: 'object', properties }]
      }),
    ),
  )
}

const documentOf = ({ openapi, info }, schemas) => ({
  openapi,
  info,
  paths: {},
  components: { schemas: withoutBounds(schemas) },
})

const bounds = new Set([
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
])

/** The server checks them; in Python each would make a class of a number. */
function withoutBounds(node) {
  if (Array.isArray(node)) return node.map(withoutBounds)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(bounds.has(key) && typeof value !== 'object'))
      .map(([key, value]) => [key, withoutBounds(value)]),
  )
}
