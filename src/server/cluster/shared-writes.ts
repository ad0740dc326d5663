/** The writes of a worker: the primary keeps the journal, so a write costs a message each way. */
import { JournalBusyError, NotFoundError, OverloadedError } from '../../base/errors/index.js'
import type { Writes } from '../http/writes.js'
import type { Task } from '../schemas/writes.js'
import type { PrimaryMessage, WorkerMessage, WriteReply, WriteRequest } from './messages.js'

export interface SharedWrites extends Writes {
  /** Takes each message of the primary. */
  readonly receive: (message: PrimaryMessage) => void
}

export function createSharedWrites(send: (message: WorkerMessage) => void): SharedWrites {
  const waiting = new Map<number, (reply: WriteReply) => void>()
  let lastId = 0
  async function request(request: WriteRequest): Promise<readonly Task[]> {
    lastId += 1
    const id = lastId
    const reply = await new Promise<WriteReply>((resolve) => {
      waiting.set(id, resolve)
      send({ kind: 'write', id, request })
    })
    if ('error' in reply) throw errorOf(reply.error)
    return reply.tasks
  }
  return {
    async write(operation, isKnown) {
      const [task] = await request({ operation, isKnown })
      if (task === undefined) throw new Error('expected a task of the write')
      return task
    },
    tasks: () => request('tasks'),
    task: async (task) => (await request({ task }))[0],
    receive(message) {
      if (message.kind !== 'written') return
      waiting.get(message.id)?.(message.reply)
      waiting.delete(message.id)
    },
  }
}

function errorOf({ name, message }: Extract<WriteReply, { error: object }>['error']): Error {
  switch (name) {
    case 'NotFoundError':
      return new NotFoundError(message)
    case 'OverloadedError':
      return new OverloadedError()
    case 'JournalBusyError':
      return new JournalBusyError()
    default:
      return new Error(message)
  }
}

/** In the primary. */
export async function answerWrite(writes: Writes, request: WriteRequest): Promise<WriteReply> {
  try {
    if (request === 'tasks') return { tasks: await writes.tasks() }
    if ('task' in request) {
      const task = await writes.task(request.task)
      return { tasks: task === undefined ? [] : [task] }
    }
    return { tasks: [await writes.write(request.operation, request.isKnown)] }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    return { error: { name, message } }
  }
}
