/** What `npm test` prints at its end: where the time went, what did not run and what failed. */
import { appendFileSync } from 'node:fs'
import { describeSkipped } from './skipped.js'

export function printSummary({ stages, files, failed }) {
  const times = [
    'Seconds by stage (some run at the same time)',
    ...stages.map(line).sort().reverse(),
    '',
    'Slowest test files',
    ...files
      .toSorted((a, b) => b.seconds - a.seconds)
      .slice(0, 10)
      .map(({ file, seconds }) => line({ name: file, seconds })),
  ].join('\n')
  console.log(`\n${times}`)
  // GitHub shows it on the page of the run.
  const page = process.env.GITHUB_STEP_SUMMARY
  if (page) appendFileSync(page, `\`\`\`\n${times}\n\`\`\`\n`)
  printNotRun('left out; `npm run test:all` runs them', files, 'leftOut', ({ file, leftOut }) => {
    return `  ${file}: ${leftOut}`
  })
  printNotRun('skipped', files, 'skipped', describeSkipped)
  if (failed > 0) printFailed(stages, files)
}

/** Comes last, where it is seen even when only the end of a long log is kept. */
function printFailed(stages, files) {
  const names = [
    ...stages.filter(({ ok }) => !ok).map(({ name }) => name),
    ...files.filter((file) => file.failed > 0).map(({ file }) => file),
  ]
  console.log('\nFailed')
  for (const name of names) console.log(`  ${name}`)
}

function printNotRun(title, files, member, describe) {
  const some = files.filter((file) => file[member] > 0)
  if (some.length === 0) return
  console.log(`\n${some.reduce((sum, file) => sum + file[member], 0)} ${title}`)
  for (const file of some) console.log(describe(file))
}

const line = ({ name, seconds }) => `${seconds.toFixed(1).padStart(8)}  ${name}`
