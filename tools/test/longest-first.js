/**
 * The order of test files: those that take longest begin first, so that the other workers need not wait for one of
 * them at the end. Vitest knows how long a file takes only where it has run before.
 */
import { BaseSequencer } from 'vitest/node'

/** Of the files that take more than half a minute on a busy machine; the first makes what others wait for. */
const long = [
  'serve/first-start',
  'serve/auto-encoder',
  'serve/reload',
  'library/installed',
  'web/map',
  'faults/processes',
  'serve/serve',
  'serve/loaded-models',
  'faults/damage',
  'serve/keys',
  'web/states',
  'map/maps',
  'clients/typescript',
  'datasets/update',
  'web/status',
  'serve/status-port',
  'models/commands',
  'encoders/cross-encoder',
  'encoders/architectures',
  'datasets/join-works',
  'datasets/public-sources',
  'datasets/works',
].map((name) => `/test/${name}.test.ts`)

export default class LongestFirst extends BaseSequencer {
  async sort(specifications) {
    const sorted = await super.sort(specifications)
    const place = ({ moduleId }) => long.findIndex((name) => moduleId.endsWith(name))
    const first = sorted.filter((one) => place(one) >= 0)
    const others = sorted.filter((one) => place(one) < 0)
    return [...first.sort((a, b) => place(a) - place(b)), ...others]
  }
}
