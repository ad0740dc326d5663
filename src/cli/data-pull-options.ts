/** The options of `data pull anilist`. */
import { workDatasets, type WorkDataset } from '../data/catalogue/catalogue.js'
import { SettingsError } from '../base/errors/index.js'

/** AniList forbids mass collection. */
export const maxBestKnown = 500
export const maxIds = 500

export interface PullSelection {
  readonly user?: string | undefined
  readonly ids?: readonly number[] | undefined
  /** 0 where a user or ids are named. */
  readonly bestKnown: number
}

type Values = Readonly<Partial<Record<'dataset' | 'user' | 'ids' | 'best-known', string>>>

/** @throws SettingsError with every problem */
export function readPullOptions(
  positionals: readonly string[],
  { dataset, user, ids, 'best-known': bestKnown }: Values,
): { readonly dataset: WorkDataset; readonly selection: PullSelection } {
  const problems: string[] = []
  const [source, ...others] = positionals
  if (source !== 'anilist' || others.length > 0) {
    const received = positionals.length === 0 ? 'nothing' : JSON.stringify(positionals.join(' '))
    problems.push(`expected the source anilist, received ${received}`)
  }
  const name = workDatasets.find((allowed) => allowed === dataset)
  if (name === undefined) {
    const received = dataset === undefined ? 'nothing' : JSON.stringify(dataset)
    problems.push(`--dataset: expected ${workDatasets.join(' or ')}, received ${received}`)
  }
  if ([user, ids, bestKnown].filter((one) => one !== undefined).length !== 1) {
    problems.push('expected one of --user, --ids and --best-known')
  }
  if (user !== undefined && !/^\w{2,20}$/.test(user)) {
    problems.push(`--user: expected the name of a user, received ${JSON.stringify(user)}`)
  }
  const numbers = ids?.split(',').map((id) => id.trim())
  if (numbers !== undefined && (numbers.length > maxIds || !numbers.every(isId))) {
    problems.push(`--ids: expected at most ${maxIds} ids, received ${JSON.stringify(ids)}`)
  }
  const count = Number(bestKnown ?? 0)
  if (bestKnown !== undefined && !(/^[1-9]\d*$/.test(bestKnown) && count <= maxBestKnown)) {
    const received = JSON.stringify(bestKnown)
    problems.push(`--best-known: expected 1 to ${maxBestKnown}, received ${received}`)
  }
  if (name === undefined || problems.length > 0) {
    throw new SettingsError(problems.map((problem) => `data pull: ${problem}`))
  }
  const selection = { user, ids: numbers && [...new Set(numbers.map(Number))], bestKnown: count }
  return { dataset: name, selection }
}

const isId = (text: string) => /^[1-9]\d{0,8}$/.test(text)
