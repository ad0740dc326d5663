/**
 * `npm run bench` runs every trial, `npm run bench -- import http` those with one of the words.
 * Machines are noisy: read ratios, and compare only figures of one run.
 */
import { availableParallelism, cpus } from 'node:os'
import { nativeInfo } from '#synoptic/native/addon/index.js'
import { trials } from './trials.js'

// A process that embeds while a server runs would take its processors. To time another encoder, name it here.
process.env.SYNOPTIC_SEARCH_ENCODER ??= 'builtin/static-en'

const words = process.argv.slice(2)
const known = trials.flatMap((trial) => trial.words)
const unknown = words.filter((word) => !known.includes(word))

if (unknown.length > 0) {
  for (const { words, summary } of trials) console.log(`${words.join(', ').padEnd(28)}${summary}`)
  process.exitCode = unknown.every((word) => word === '--help') ? 0 : 2
} else {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor'
  const { kernel, threads } = nativeInfo()
  console.log(`${processor}, ${availableParallelism()} processors, Node ${process.version}`)
  console.log(`Kernel ${kernel}, ${threads} threads that scan`)
  for (const trial of trials) {
    if (words.length > 0 && !trial.words.some((word) => words.includes(word))) continue
    console.log(`\n== ${trial.words[0] ?? ''}: ${trial.summary}`)
    await trial.run((line) => console.log(line))
  }
}
