/** The texts of a batch, each with its answer or with what is wrong with it: one bad text fails no other. */
import * as v from 'valibot'
import type { Logger } from 'pino'
import { type Problem, ValidationError } from '../../base/errors/index.js'
import { withErrors } from '../../base/util/with-errors.js'
import type { AppContext } from './env.js'
import { problemKind } from '../problems/error-status.js'
import { batchedText } from '../schemas/batch.js'

export interface FailedText {
  readonly error: Problem
}

export interface Batch<Answer> {
  /** The member of the request that has the texts. */
  readonly member: string
  readonly texts: readonly string[]
  /** Answers sound texts, trimmed, in their order. */
  readonly answer: (texts: readonly string[]) => Promise<readonly (Answer | Error)[]>
  readonly logger: Pick<Logger, 'error'>
}

export async function answerEach<Answer extends object>(
  c: AppContext,
  { member, texts, answer, logger }: Batch<Answer>,
): Promise<readonly (Answer | FailedText)[]> {
  const checked = texts.map((text) => {
    const { issues, output } = v.safeParse(batchedText, text, { abortPipeEarly: true })
    return issues === undefined
      ? output
      : new ValidationError([{ path: '', message: issues[0].message }])
  })
  const sound = checked.filter((text) => typeof text === 'string')
  const found = sound.length === 0 ? [] : await answer(sound)
  return withErrors(checked, found).map((answered, i) => {
    if (!(answered instanceof Error)) return answered
    const { status } = problemKind(answered)
    if (status >= 500)
      logger.error({ requestId: c.get('requestId'), err: answered }, 'a text of a batch failed')
    return { error: { path: `${member}.${i}`, message: messageOf(answered) } }
  })
}

/** What is wrong with the text alone, as its request would say. */
function messageOf(error: Error): string {
  if (error instanceof ValidationError) return error.problems[0]?.message ?? error.message
  return problemKind(error).detail ?? error.message
}
