/** Clients that ask a server again and again until they are told to stop. */
import { ask, deathNote } from './child.js'

export interface Load {
  /** How often each outcome came: a status, or the kind of failure. */
  readonly outcomes: Map<string, number>
  /** Answers what came of it all. */
  stop(): Promise<Record<string, number>>
}

/** What a client asks; answers the status. */
export type Question = (origin: string) => Promise<{ readonly status: number }>

const similar: Question = (origin) => ask(origin, deathNote)

export function startLoad(origin: string, clients = 4, question = similar): Load {
  const outcomes = new Map<string, number>()
  let isOver = false
  const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  async function client(): Promise<void> {
    while (!isOver) {
      await question(origin).then(
        ({ status }) => count(String(status)),
        (error: unknown) => count(causeOf(error)),
      )
    }
  }
  const running = Promise.all(Array.from({ length: clients }, client))
  return {
    outcomes,
    async stop() {
      isOver = true
      await running
      return Object.fromEntries(outcomes)
    },
  }
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
}

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}
