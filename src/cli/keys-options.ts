/** The options of `keys add`, as people write them. */
import { SettingsError } from '../base/errors/index.js'
import { scopes, type Scope } from '../base/keys/scopes.js'

export function parseScopes(list: string): readonly Scope[] {
  const words = list.split(',').map((word) => word.trim())
  const chosen = scopes.filter((scope) => words.includes(scope))
  if (chosen.length === words.length) return chosen
  throw new SettingsError([
    `--scopes: expected a list of ${scopes.join(', ')}, each once, received ${JSON.stringify(list)}`,
  ])
}

const dayMs = 86_400_000
const maxDays = 36_500

/** `2027-01-31`, the beginning of that day in UTC, or `90d`. @returns a time in ISO 8601 */
export function parseExpiry(text: string, nowMs: number): string {
  const [, days] = /^(\d{1,5})d$/.exec(text) ?? []
  const timeMs =
    days === undefined ? startOf(text) : nowMs + Math.min(Number(days), maxDays) * dayMs
  if (timeMs > nowMs) return new Date(timeMs).toISOString()
  throw new SettingsError([
    `--expires: expected a date to come such as 2027-01-31, or days such as 90d, received ${JSON.stringify(text)}`,
  ])
}

/** NaN for what is not a date; 2027-02-30 is none. */
function startOf(text: string): number {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return Number.NaN
  const timeMs = Date.parse(`${text}T00:00:00Z`)
  const isDate = !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text)
  return isDate ? timeMs : Number.NaN
}
