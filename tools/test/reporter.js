/** A reporter of Vitest that writes what `npm test` counts into the file that SYNOPTIC_TEST_REPORT names. */
import { writeFileSync } from 'node:fs'

export default class CountingReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const files = modules.map(describeFile)
    const report = { files, unhandledErrors: unhandledErrors.length }
    writeFileSync(process.env.SYNOPTIC_TEST_REPORT, JSON.stringify(report))
  }
}

function describeFile(module) {
  const tests = [...module.children.allTests()]
  const isNightly = ({ options }) => options.tags?.includes('nightly') ?? false
  const inState = (state) => tests.filter((test) => test.result().state === state)
  const notRun = inState('skipped')
  const leftOut = process.env.SYNOPTIC_TEST_ALL === '1' ? [] : notRun.filter(isNightly)
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic()
  const milliseconds =
    environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
  return {
    file: module.relativeModuleId,
    seconds: milliseconds / 1000,
    passed: inState('passed').length,
    // Where a file does not load, or one of its hooks throws, no test may have failed.
    failed: Math.max(inState('failed').length, module.ok() ? 0 : 1),
    skipped: notRun.length - leftOut.length,
    leftOut: leftOut.length,
  }
}
