/** docs/settings.md lists the settings of the server as they are. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { serverSettings } from '#synoptic/base/config/settings.js'
import { row } from '#synoptic/base/config/setting.js'
import { settingsPage } from '../../tools/settings-page.js'

const file = fileURLToPath(new URL('../../docs/settings.md', import.meta.url))
const page = readFileSync(file, 'utf8')

describe('docs/settings.md', () => {
  it('is up to date (node tools/settings-page.js --write)', () => {
    expect(page).toBe(settingsPage(page))
  })

  it('has every setting once', () => {
    const flags = [...page.matchAll(/^- `--([\w-]+)/gm)].map(([, flag = '']) =>
      flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    )
    expect(flags.toSorted()).toEqual(Object.keys(serverSettings).toSorted())
  })

  it('would have a setting that is new or changed', () => {
    const port = row(v.number(), 8001, '<n>', 'Another sentence.')
    const other = settingsPage(page, { ...serverSettings, port, brandNew: port })
    expect(other).toContain('- `--port <n>` (8001): Another sentence.')
    expect(other).toContain('## More\n- `--brand-new <n>` (8001)')
  })

  it('needs its markers', () => {
    expect(() => settingsPage('# Settings')).toThrow(/expected <!-- settings -->/)
  })
})
