/** PUT, PATCH and DELETE /entries/…, POST /entries/…/delete, GET /tasks: changes of the catalogue, where keys permit them. */
import type { DatasetName } from '../../../data/catalogue/catalogue.js'
import { NotFoundError, ValidationError, WritesOffError } from '../../../base/errors/index.js'
import type { AppContext } from '../env.js'
import { idOf } from '../entry-id.js'
import { entryIdOf } from '../text-id-routes.js'
import { titleOf } from '../openapi/dataset-title.js'
import type { Operation } from '../openapi/operation.js'
import { admitProblems, bodyProblems, type ProblemName } from '../openapi/problems.js'
import { createColumnCheck, readEntries } from '../read-entries.js'
import { readJson } from '../read-json.js'
import { readQuery, requireNoQuery } from '../read-query.js'
import type { Guards, Route } from '../route.js'
import { entryPath } from '../../schemas/browse.js'
import { filterOf } from '../../schemas/filters.js'
import {
  deletion,
  entryChanges,
  maxWrittenEntries,
  task,
  taskPath,
  tasksQuery,
  tasksResponse,
  toChanges,
  writtenEntries,
  type Task,
} from '../../schemas/writes.js'
import type { AppServices } from '../services.js'
import type { WritableCatalogue } from '../writes.js'

export function writeRoutes(
  { writes: writable, settings, datasets }: Pick<AppServices, 'writes' | 'settings' | 'datasets'>,
  { admit, work }: Guards,
): Route[] {
  const catalogue = writable ?? writesOff
  const { writes } = catalogue
  const columnsOf = (dataset: DatasetName) => {
    const columns = catalogue.columnsOf(dataset)
    if (columns === undefined) throw new NotFoundError(`The catalogue has no ${dataset} dataset.`)
    return columns
  }
  const common = { group: 'writes', guards: admit } as const
  return [
    ...datasets.flatMap((dataset): Route[] => [
      {
        ...common,
        method: 'PUT',
        path: `/entries/${dataset}`,
        operation: putting(dataset),
        async handler(c) {
          await requireNoQuery(c)
          const columns = columnsOf(dataset)
          const options = { dataset, columns, limitBytes: settings.writeBodyLimit }
          const entries = await readEntries(c, options)
          return accepted(c, await work(c, () => writes.write({ kind: 'put', dataset, entries })))
        },
      },
      {
        ...common,
        method: 'PATCH',
        path: `/entries/${dataset}/:id`,
        operation: patching(dataset),
        async handler(c) {
          await requireNoQuery(c)
          const id = entryIdOf(c)
          const columns = columnsOf(dataset)
          const body = await readJson(c, entryChanges, settings.bodyLimit)
          const problems = createColumnCheck(columns)(body.texts ?? {})
          if (problems.length > 0) throw new ValidationError(problems)
          const operation = { kind: 'patch', dataset, id, changes: toChanges(body) } as const
          const isKnown = catalogue.hasEntry(dataset, id)
          return accepted(c, await work(c, () => writes.write(operation, isKnown)))
        },
      },
      {
        ...common,
        method: 'DELETE',
        path: `/entries/${dataset}/:id`,
        operation: deleting(dataset),
        async handler(c) {
          await requireNoQuery(c)
          const id = entryIdOf(c)
          columnsOf(dataset)
          const operation = { kind: 'delete', dataset, ids: [id] } as const
          const isKnown = catalogue.hasEntry(dataset, id)
          return accepted(c, await work(c, () => writes.write(operation, isKnown)))
        },
      },
      {
        ...common,
        method: 'POST',
        path: `/entries/${dataset}/delete`,
        operation: deletingMany(dataset),
        async handler(c) {
          await requireNoQuery(c)
          columnsOf(dataset)
          const { ids, ...conditions } = await readJson(c, deletion, settings.bodyLimit)
          if (ids !== undefined) {
            const operation = { kind: 'delete', dataset, ids: [...new Set(ids)] } as const
            return accepted(c, await work(c, () => writes.write(operation)))
          }
          const filter = filterOf(conditions, 'include')
          catalogue.checkFilter(dataset, filter)
          const operation = { kind: 'delete-matching', dataset, filter } as const
          return accepted(c, await work(c, () => writes.write(operation)))
        },
      },
    ]),
    {
      ...common,
      method: 'GET',
      path: '/tasks',
      operation: listing,
      async handler(c) {
        const { status, limit } = await readQuery(c, tasksQuery)
        const all = await work(c, () => writes.tasks())
        const tasks = all.filter((one) => status === undefined || one.status === status)
        return c.json({ tasks: tasks.slice(0, limit), total: tasks.length }, 200, uncached)
      },
    },
    {
      ...common,
      method: 'GET',
      path: '/tasks/:id',
      operation: showing,
      async handler(c) {
        await requireNoQuery(c)
        const id = idOf(c.req.param('id') ?? '')
        const found = await work(c, () => writes.task(id))
        if (found === undefined) throw new NotFoundError('There is no task with this id.')
        return c.json(found, 200, uncached)
      },
    },
  ]
}

const refuse = () => {
  throw new WritesOffError()
}
/** Where nothing can be written, every route says so. */
const writesOff: WritableCatalogue = {
  writes: { write: refuse, tasks: refuse, task: refuse },
  columnsOf: refuse,
  hasEntry: refuse,
  checkFilter: refuse,
}

const uncached = { 'Cache-Control': 'no-store' }

const accepted = (c: AppContext, written: Task) =>
  c.json(written, 202, { ...uncached, Location: `/tasks/${written.id}` })

const acceptedResponse = {
  202: { description: 'The write is on disk. The task says when searches find it.', schema: task },
}
const problems: readonly ProblemName[] = [
  ...bodyProblems,
  ...admitProblems,
  'not-found',
  'writes-off',
  'journal-busy',
]
const pathProblems: readonly ProblemName[] = [
  ...admitProblems,
  'invalid-request',
  'not-found',
  'writes-off',
  'journal-busy',
]

const example = { id: 900_001, title: 'The Lighthouse Baker', type: 'tv', year: 2025 }

const putting = (dataset: DatasetName): Operation => ({
  id: `put${titleOf(dataset)}Entries`,
  tag: 'Writes',
  summary: `Add ${dataset}, or replace those with the same ids`,
  description: `Up to ${maxWrittenEntries.toLocaleString('en')} entries in the shape of \`synoptic data export\`: a JSON array, or JSON lines as \`application/x-ndjson\`.
An entry is replaced whole. If one of them is invalid, none is written.`,
  body: {
    schema: writtenEntries,
    examples: { one: { summary: 'One entry', value: [example] } },
  },
  responses: acceptedResponse,
  problems,
})

const patching = (dataset: DatasetName): Operation => ({
  id: `patch${titleOf(dataset)}Entry`,
  tag: 'Writes',
  summary: `Change members of one ${dataset}`,
  description: 'Null clears a member. Metadata and texts change one by one, the rest as a whole.',
  path: entryPath,
  body: {
    schema: entryChanges,
    examples: { year: { summary: 'Another year', value: { year: 2026 } } },
  },
  responses: acceptedResponse,
  problems,
})

const deleting = (dataset: DatasetName): Operation => ({
  id: `delete${titleOf(dataset)}Entry`,
  tag: 'Writes',
  summary: `Delete one ${dataset}`,
  description: 'Searches find it until the task is done.',
  path: entryPath,
  responses: acceptedResponse,
  problems: pathProblems,
})

const deletingMany = (dataset: DatasetName): Operation => ({
  id: `delete${titleOf(dataset)}Entries`,
  tag: 'Writes',
  summary: `Delete ${dataset} by ids, or by a filter`,
  description: 'Either `ids`, or the conditions of a search. A dataset keeps at least one entry.',
  body: {
    schema: deletion,
    examples: {
      ids: { summary: 'Two entries', value: { ids: [1, 5] } },
      filter: { summary: 'Short films before 1970', value: { type: 'movie', yearTo: 1969 } },
    },
  },
  responses: acceptedResponse,
  problems,
})

const listing: Operation = {
  id: 'listTasks',
  tag: 'Writes',
  summary: 'The latest writes',
  description: 'All that wait, and the last 1,000 that are done.',
  query: tasksQuery,
  responses: { 200: { description: 'The newest first.', schema: tasksResponse } },
  problems: [...admitProblems, 'invalid-request', 'writes-off'],
}

const showing: Operation = {
  id: 'getTask',
  tag: 'Writes',
  summary: 'One write',
  description: 'Whether searches find it, and which entries could not be changed.',
  path: taskPath,
  responses: { 200: { description: 'The task.', schema: task } },
  problems: [...admitProblems, 'invalid-request', 'not-found', 'writes-off'],
}
