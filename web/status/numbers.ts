/** Numbers and states as operators read them. */

export function seconds(value: number | undefined): string {
  if (value === undefined) return '–'
  if (value < 0.001) return `${Math.round(value * 1e6)} µs`
  if (value < 1) return `${Number((value * 1000).toPrecision(3))} ms`
  return `${Number(value.toPrecision(3))} s`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']

export function bytes(value: number): string {
  let rest = value
  let unit = 0
  while (rest >= 1024 && unit < units.length - 1) {
    rest /= 1024
    unit += 1
  }
  return `${Number(rest.toPrecision(3))} ${units[unit] ?? ''}`
}

export const ratio = (part: number, whole: number): string =>
  whole > 0 ? `${Math.round((100 * part) / whole)} %` : '–'

export const words = {
  status: {
    ok: 'All is well.',
    degraded: 'Some datasets cannot be searched.',
    damaged: 'A file is damaged; what it holds cannot be searched.',
    unavailable: 'Nothing can be searched.',
    stopping: 'The server is stopping.',
  },
  connection: {
    waiting: 'Connecting …',
    live: 'Live',
    lost: 'Connection lost, trying again …',
    locked: 'Locked',
  },
} as const
