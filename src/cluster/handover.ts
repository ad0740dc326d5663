/**
 * Connections on their way to a worker. The primary accepts them and hands each to a worker, which says
 * that it has it. Where the worker dies in between, node:cluster waits for its word for ever, and so does
 * the client; here the connection goes to another worker as if the dead one had refused it, or is closed
 * where there is none. This reads the messages of node:cluster itself, which are the same in
 * Node 20 to 26; should they change, it does nothing.
 */
import type { Worker } from 'node:cluster'

export interface Handover {
  /** From its fork on. */
  watch(worker: Worker): void
}

/** What node:cluster sends with a connection, and what its worker answers. */
interface ClusterMessage {
  readonly cmd?: string
  readonly act?: string
  /** Number of a message that wants an answer, and of the message that is answered. */
  readonly seq?: number
  readonly ack?: number
}

interface Connection {
  close(): void
}

export function createHandover(): Handover {
  const listening = new Set<Worker>()

  return {
    watch(worker) {
      const child = worker.process
      const underWay = new Map<number, Connection>()
      const send = child.send.bind(child) as (...words: unknown[]) => boolean
      child.send = (message: ClusterMessage, ...more: unknown[]) => {
        const { cmd, act, seq } = message
        const isConnection = cmd === 'NODE_CLUSTER' && act === 'newconn' && seq !== undefined
        if (isConnection) underWay.set(seq, more[0] as Connection)
        return send(message, ...more)
      }
      child.on('internalMessage', ({ ack }: ClusterMessage) => {
        if (ack !== undefined) underWay.delete(ack)
      })
      const settle = () => {
        listening.delete(worker)
        for (const [ack, connection] of underWay) {
          if (listening.size === 0) connection.close()
          else child.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack, accepted: false })
        }
        underWay.clear()
      }
      worker.once('listening', () => listening.add(worker))
      // With a connection under way Node tells the end of the process alone; otherwise the channel's comes last.
      worker.once('disconnect', settle)
      worker.once('exit', () => {
        if (!worker.isConnected()) settle()
      })
    },
  }
}
