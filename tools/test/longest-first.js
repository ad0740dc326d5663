/**
 * The order of test files: those that take longest begin first, so that the other workers need not wait for one of
 * them at the end. Vitest knows how long a file takes only where it has run before.
 */
import { BaseSequencer } from 'vitest/node'

/** Of the files that take more than half a minute on a busy machine. */
const long = new RegExp(
  `/test/(?:${[
    'library/installed',
    'browser/docs',
    'serve/(?:first-start|serve|reload|keys|import-works|auto-encoder|loaded-models)',
    'faults/(?:damage|processes|files)',
    'map/maps',
    'web/(?:access|map|states|status)',
    'models/commands',
    'datasets/(?:join-works|public-sources|works)',
    'encoders/(?:cross-encoder|architectures)',
  ].join('|')}).test.ts$`,
)

export default class LongestFirst extends BaseSequencer {
  async sort(specifications) {
    const sorted = await super.sort(specifications)
    const isLong = ({ moduleId }) => long.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))]
  }
}
