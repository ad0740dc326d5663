/** Names of models as people type them. */
import { type ModelsLocation, isAllowedModel, modelNames } from '../models/registry.js'
import { crossEncoderNames, findCrossEncoder } from '../models/cross-encoders.js'
import { suggestion } from '../util/suggest.js'

/** What is wrong with a name, if anything. */
export function checkModelName(name: string, location: ModelsLocation): string[] {
  if (findCrossEncoder(name, location) !== undefined) return []
  return check(name, location, crossEncoderNames(location))
}

/** Of a command that takes one model: its name, and what is wrong with it. */
export function readModelName(
  words: readonly string[],
  location: ModelsLocation,
): { readonly name: string; readonly problems: readonly string[] } {
  const [name = ''] = words
  if (words.length === 1) return { name, problems: checkModelName(name, location) }
  return { name, problems: [`expected one name of a model, received ${words.length}`] }
}

/** The same as `checkModelName`, where only models that give vectors will do. */
export const checkEncoderName = (name: string, location: ModelsLocation): string[] =>
  check(name, location, [])

function check(name: string, location: ModelsLocation, others: readonly string[]): string[] {
  if (isAllowedModel(name, location)) return []
  const nearest = suggestion(name, [...modelNames(location), ...others])
  return [`no such model ${name}${nearest === '' ? ownNames : nearest}`]
}

const ownNames =
  '; `models add --new`, or custom.json in the folder of models, takes names of your own'
