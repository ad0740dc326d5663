/** Servers that several test files read, and the Chromium of all: one of each a run. Who changes or ends one starts its own. */
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { inject } from 'vitest'
import { makeOnce } from './made-once.js'
import type { SharedRequest } from './starter.js'

const cli = fileURLToPath(import.meta.resolve('#synoptic/cli.js'))

/** No sandbox: it needs rights that containers seldom have. The rest keeps Chromium off the network. */
const chromiumArgs = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  // The map needs WebGL, by the processor here.
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A connection of its own; each test opens a context of its own. */
export async function connectChromium(path: string): Promise<Browser> {
  // It takes half a second to load, and most files that share a server open no page.
  const { chromium } = await import('playwright-core')
  const what = { kind: 'chromium', path, args: chromiumArgs } as const
  return chromium.connect(await start({ name: 'chromium', what }))
}

export interface SharedServer {
  readonly origin: string
  /** Where it was started; nobody writes there. */
  readonly folder: string
}

/** @param prepare fills the folder, once a run */
export async function sharedServer(
  name: string,
  words: readonly string[],
  prepare: (folder: string) => Promise<void>,
): Promise<SharedServer> {
  const folder = await makeOnce(`server-${name}`, prepare)
  // Tests wait for answers, however busy the machine.
  const patient = ['--request-timeout', '600']
  const args = [cli, 'serve', '--host', '127.0.0.1', '--port', '0', ...patient, ...words]
  return { folder, origin: await start({ name, what: { kind: 'program', args, cwd: folder } }) }
}

async function start(request: SharedRequest): Promise<string> {
  const response = await fetch(inject('starter'), {
    method: 'POST',
    body: JSON.stringify(request),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
