/** The first stage and the features of queries in other languages, by the model that reads these. */
import type { OtherFeatures } from '../ranking/builtin-ranker.js'
import { createComputeFeatures, type FeatureServices } from '../ranking/features.js'
import { createFirstStage, type FirstStageServices } from '../ranking/first-stage.js'
import type { RankerConfig } from '../ranking/ranker-config.js'
import type { OtherLanguages } from '../service/other-languages.js'

/** What compares queries in other languages, or the command that adds it. */
export type ChosenLanguages = Pick<OtherLanguages, 'encoder' | 'remedy'>

type Services = Omit<FirstStageServices & FeatureServices, 'encoder' | 'rankerConfig'> & {
  readonly rankerConfig: RankerConfig
}

export function compareLanguages(
  chosen: ChosenLanguages,
  services: Services,
): {
  readonly otherLanguages: OtherLanguages
  readonly otherFeatures: OtherFeatures | undefined
} {
  const { encoder } = chosen
  const weights = encoder === undefined ? undefined : languageWeights(services, encoder)
  if (encoder === undefined || weights === undefined)
    return { otherLanguages: chosen, otherFeatures: undefined }
  const own = { ...services, encoder, synopsesAlone: true }
  return {
    otherLanguages: { ...chosen, firstStage: createFirstStage(own) },
    otherFeatures: { computeFeatures: createComputeFeatures(own), weights },
  }
}

const languageWeights = ({ rankerConfig }: Services, encoder: string) =>
  rankerConfig.languageWeights.get(encoder)
