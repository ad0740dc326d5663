/** Checks model names on the command line. */
import { type ModelsLocation, isAllowedModel, modelNames } from '../models/registry.js'
import { crossEncoderNames, findCrossEncoder } from '../models/cross-encoders.js'
import { suggestion } from '../util/suggest.js'

/** Returns the problems of a name; none if it is valid. */
export function checkModelName(name: string, location: ModelsLocation): string[] {
  if (findCrossEncoder(name, location) !== undefined) return []
  return check(name, location, crossEncoderNames(location))
}

/** Reads the model's name of a command that takes one model. */
export function readModelName(
  words: readonly string[],
  location: ModelsLocation,
): { readonly name: string; readonly problems: readonly string[] } {
  const [name = ''] = words
  if (words.length === 1) return { name, problems: checkModelName(name, location) }
  return { name, problems: [`expected one model name, received ${words.length}`] }
}

/** The same as `checkModelName`, for encoders only. */
export const checkEncoderName = (name: string, location: ModelsLocation): string[] =>
  check(name, location, [])

function check(name: string, location: ModelsLocation, others: readonly string[]): string[] {
  if (isAllowedModel(name, location)) return []
  const nearest = suggestion(name, [...modelNames(location), ...others])
  return [`unknown model ${name}${nearest === '' ? ownNames : nearest}`]
}

const ownNames = '; to use a name of your own, run `synoptic models add --new`'
