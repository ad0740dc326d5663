/** Names of models as people type them. */
import { type ModelsPlace, isAllowedModel, modelNames } from '../models/registry.js'
import { crossEncoderNames, findCrossEncoder } from '../models/cross-encoders.js'
import { suggestion } from '../util/suggest.js'

/** What is wrong with a name, if anything. */
export function checkModelName(name: string, place: ModelsPlace): string[] {
  if (findCrossEncoder(name, place) !== undefined) return []
  return check(name, place, crossEncoderNames(place))
}

/** Of a command that takes one model: its name, and what is wrong with it. */
export function readModelName(
  words: readonly string[],
  place: ModelsPlace,
): { readonly name: string; readonly problems: readonly string[] } {
  const [name = ''] = words
  if (words.length === 1) return { name, problems: checkModelName(name, place) }
  return { name, problems: [`expected one name of a model, received ${words.length}`] }
}

/** The same as `checkModelName`, where only models that give vectors will do. */
export const checkEncoderName = (name: string, place: ModelsPlace): string[] =>
  check(name, place, [])

function check(name: string, place: ModelsPlace, others: readonly string[]): string[] {
  if (isAllowedModel(name, place)) return []
  const nearest = suggestion(name, [...modelNames(place), ...others])
  return [`no such model ${name}${nearest === '' ? ownNames : nearest}`]
}

const ownNames =
  '; `models add --new`, or custom.json in the folder of models, takes names of your own'
