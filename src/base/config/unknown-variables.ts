/** Environment variables that look like settings and are none, such as SYNOPTIC_RATE_LIMT. */
import { suggestion } from '../util/suggest.js'
import { variableOf } from './read.js'
import { settingNames } from './settings.js'

/** Read elsewhere: by the native core, by the tools, and by the build. */
const others = [
  'SYNOPTIC_ADDON_URL',
  'SYNOPTIC_CONFIG',
  'SYNOPTIC_CUBLAS',
  'SYNOPTIC_CUDA_ARCHITECTURES',
  'SYNOPTIC_CUDA_LIBRARY',
  'SYNOPTIC_FORCE_KERNEL',
  'SYNOPTIC_INDEX_PASSWORD',
  'SYNOPTIC_INDEX_USERNAME',
  'SYNOPTIC_NVCC',
  'SYNOPTIC_PYTHON',
  'SYNOPTIC_SCAN_THREADS',
  'SYNOPTIC_SCREENSHOTS',
]
/** Tests and benchmarks; and what Kubernetes sets for a service of the name `synoptic`. */
const foreign = /^SYNOPTIC_(?:(?:TEST|BENCH)_|FUZZ|SERVICE_|PORT_\d)/

/** One sentence for each, with the nearest name. */
export function describeUnknownVariables(
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const known = [...settingNames.map(variableOf), ...others]
  return Object.keys(environment)
    .filter((name) => name.startsWith('SYNOPTIC_') && !foreign.test(name) && !known.includes(name))
    .map((name) => `${name}: no setting has this name${suggestion(name, known)}`)
}
