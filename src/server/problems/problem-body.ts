/** What the one error body says. */
import type { Problem } from '../../base/errors/index.js'

export interface ProblemBody {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The same as `detail`, for clients that look there. */
  readonly error: string
  /** What is wrong with which member; empty where the request is not the cause. */
  readonly errors: readonly Problem[]
  readonly requestId: string
}
