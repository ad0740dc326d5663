/**
 * The lists of docs/settings.md, from the settings table of the server:
 *   node tools/settings-page.js --write
 * test/config/settings-page.test.ts compares them in every run of the tests.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { groupSettings } from '#synoptic/base/config/help.js'
import { serverSettings } from '#synoptic/base/config/settings.js'

const file = new URL('../docs/settings.md', import.meta.url)
const [begin, end] = ['<!-- settings -->\n', '<!-- end of settings -->\n']
/** Defaults that depend on the machine. */
const defaults = { workers: 'half of the CPUs' }

/** The page with its lists as they should be. */
export function settingsPage(text = readFileSync(file, 'utf8'), table = serverSettings) {
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`docs/settings.md: expected ${begin}and ${end}`)
  const lists = groupSettings(Object.keys(table)).map(
    ({ title, names }) => `## ${title}\n${names.map((name) => line(name, table[name])).join('')}`,
  )
  return `${before}${begin}${lists.join('\n')}${end}${after}`
}

function line(name, { value, help, default: known }) {
  const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${value}`
  const fallback = defaults[name] ?? (known === '' ? 'none' : String(known))
  return `- \`${flag.trimEnd()}\` (${fallback}): ${help}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [text, page] = [readFileSync(file, 'utf8'), settingsPage()]
  if (process.argv.includes('--write')) writeFileSync(file, page)
  else if (page !== text) {
    console.error(
      'docs/settings.md differs from the settings; run: node tools/settings-page.js --write',
    )
    process.exitCode = 1
  }
}
