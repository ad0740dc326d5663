/** What the routes of v1 stand on, and what they share. */
import type { Inference, Scored } from '../../../../search/inference/inference.js'
import type { ProblemName } from '../../openapi/problems.js'
import type { V1Limits } from '../../v1/read-request.js'
import type { ServerSettings } from '../../../../base/config/settings.js'

export interface V1Services {
  readonly inference: Inference
  readonly settings: V1Limits & Pick<ServerSettings, 'limitConcurrency'>
  readonly version: string
}

export const jsonType = { 'Content-Type': 'application/json' }

/** Problems of a request that names a model. */
export const modelProblems: readonly ProblemName[] = [
  'model-not-found',
  'model-not-installed',
  'model-load-failed',
  'encoding-failed',
]

/** Positions of texts by their scores, the highest first; of equal ones the first. */
export function byScore({ scores }: Pick<Scored, 'scores'>, limit = Infinity): number[] {
  const positions = Array.from(scores, (_, position) => position)
  positions.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
  return positions.slice(0, limit)
}
