#!/usr/bin/env -S node --v8-pool-size=1
/** What `synoptic` starts: the bundle of the program (tools/bundle.js), or its files where they are newer. */
import './cli/no-inspector.js'
import { statSync } from 'node:fs'
import type * as program from './cli/program.js'

const timeOf = (name: string): number =>
  statSync(new URL(name, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0
// A package has no `src.tsbuildinfo`, which the compiler writes.
const isBundled = timeOf('bundle/program.js') > timeOf('src.tsbuildinfo')

const path = isBundled ? './bundle/program.js' : './cli/program.js'
const { runProgram } = (await import(path)) as typeof program
process.exitCode = await runProgram(process.argv.slice(2))
