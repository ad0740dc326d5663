/** Runs programs as stages of `npm test`, and notes how long each took. */
import { spawn } from 'node:child_process'

/** On Windows, what npm puts into .bin are scripts for cmd. */
const shell = process.platform === 'win32'

/** In the order in which they ended. */
export const stages = []

/** Prints what the program wrote when it has ended, so that stages can run at the same time; or `live`. */
export function runStage(name, command, args, { env = {}, live = false } = {}) {
  const begun = performance.now()
  return new Promise((resolve) => {
    if (live) console.log(`\n== ${name}`)
    const stdio = live ? 'inherit' : 'pipe'
    const child = spawn(command, args, { shell, stdio, env: { ...process.env, ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', ({ message }) => (output += `${command}: ${message}\n`))
    child.on('close', (status, signal) => {
      if (signal) output += `${command}: ended by ${signal}\n`
      stages.push({ name, seconds: (performance.now() - begun) / 1000, ok: status === 0 })
      const text = output.trimEnd()
      if (!live) console.log(`\n== ${name}\n${text}`)
      else if (text !== '') console.error(text)
      resolve(status === 0)
    })
  })
}
