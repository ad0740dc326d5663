/** Checks model names on the command line. */
import { type ModelsLocation, isAllowedModel, modelNames } from '../models/registry/registry.js'
import {
  crossEncoderNames,
  findCrossEncoder,
  listCrossEncoders,
} from '../models/registry/cross-encoders.js'
import { fullName, unknownModel } from '../models/registry/short-names.js'

/** Returns the problems of a name; none if it is valid. */
export function checkModelName(name: string, location: ModelsLocation): string[] {
  if (findCrossEncoder(name, location) !== undefined) return []
  return check(
    name,
    location,
    listCrossEncoders(location).map(({ name }) => name),
  )
}

/** Reads the model's name of a command that takes one model. */
export function readModelName(
  words: readonly string[],
  location: ModelsLocation,
): { readonly name: string; readonly problems: readonly string[] } {
  const name = wholeName(words[0] ?? '', location)
  if (words.length === 1) return { name, problems: checkModelName(name, location) }
  return { name, problems: [`expected one model name, received ${words.length}`] }
}

/** Returns the full name for a last part, or the name itself. */
export const wholeName = (name: string, location: ModelsLocation): string => {
  const encoder = fullName(name, modelNames(location))
  return findCrossEncoder(encoder, location) === undefined
    ? encoder
    : fullName(encoder, crossEncoderNames(location))
}

/** The same as `checkModelName`, for encoders only. */
export const checkEncoderName = (name: string, location: ModelsLocation): string[] =>
  check(name, location, [])

function check(name: string, location: ModelsLocation, others: readonly string[]): string[] {
  if (isAllowedModel(fullName(name, modelNames(location)), location)) return []
  return [`${unknownModel(name, [...modelNames(location), ...others])}${ownNames}`]
}

const ownNames = '; to use a name of your own, run `synoptic models add FOLDER --name NAME --new`'
