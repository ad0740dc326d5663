/**
 * From a name to a model. A process does this once, where it reads a request, a setting or an option
 * (.dependency-cruiser.mjs lists these places); everything else receives the ResolvedModel.
 */
import { ModelNotInstalledError, UnknownModelError } from '../../base/errors/index.js'
import {
  entriesOf,
  modelNames,
  withLocation,
  type ModelsLocation,
  type ResolvedModel,
} from './registry.js'
import { unknownModel } from './short-names.js'

/** @throws UnknownModelError. The files of the model may be missing, see `installed`. */
export function resolveModel(name: string, { modelsDir }: ModelsLocation): ResolvedModel {
  const model = entriesOf({ modelsDir }).models.find((candidate) => candidate.name === name)
  if (model === undefined)
    throw new UnknownModelError(unknownModel(name, modelNames({ modelsDir })))
  return withLocation(model, modelsDir)
}

/** @throws UnknownModelError, ModelNotInstalledError */
export function requireInstalled(name: string, location: ModelsLocation): ResolvedModel {
  const model = resolveModel(name, location)
  if (!model.installed) throw new ModelNotInstalledError(name, model.repository)
  return model
}

/** Resolves the models that requests name. @throws UnknownModelError, ModelNotInstalledError */
export type ModelResolver = (name: string) => ResolvedModel

/** A model that is pulled while the process runs is found. */
export const modelResolver =
  (location: ModelsLocation): ModelResolver =>
  (name) =>
    requireInstalled(name, location)
