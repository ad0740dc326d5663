#!/usr/bin/env -S node --v8-pool-size=1
/** What `synoptic` starts. */
import './cli/no-inspector.js'
import { runProgram } from './cli/program.js'

process.exitCode = await runProgram(process.argv.slice(2))
