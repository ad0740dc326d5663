/** Names of models as people type them. */
import { isAllowedModel, modelNames } from '../models/catalogue.js'
import { crossEncoderNames, findCrossEncoder } from '../models/cross-encoders.js'
import { suggestion } from '../suggest.js'

/** What is wrong with a name, if anything. */
export function checkModelName(name: string): string[] {
  if (isAllowedModel(name) || findCrossEncoder(name) !== undefined) return []
  const known = [...modelNames(), ...crossEncoderNames()]
  return [`no such model ${name}${suggestion(name, known)}`]
}
