/**
 * Which test files share a process. A file that starts processes, itself or through a helper under test/, has a
 * process of its own; so has one that says `@own-process` and why. The others share a few threads, in which
 * modules stay loaded from one file to the next.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const startsProcesses = /from '(?:node:child_process|node:cluster|playwright-core)'|@own-process\b/
const imports = /(?:from|import\() *'(\.[^']+)'/g

/** @returns {{ pure: string[], processes: string[] }} paths from the root */
export function projectsOfTests() {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file).replaceAll('\\', '/'))
    .sort()
  const known = new Map()
  return {
    pure: files.filter((file) => !needsProcess(file, known)),
    processes: files.filter((file) => needsProcess(file, known)),
  }
}

function needsProcess(file, known) {
  const answer = known.get(file)
  if (answer !== undefined) return answer
  // Also ends circles of imports.
  known.set(file, false)
  const source = readFileSync(file, 'utf8')
  const needs =
    startsProcesses.test(source) ||
    [...source.matchAll(imports)].some(([, path]) => {
      const imported = join(dirname(file), path.replace(/\.js$/, '.ts'))
      return existsSync(imported) && needsProcess(imported, known)
    })
  known.set(file, needs)
  return needs
}
