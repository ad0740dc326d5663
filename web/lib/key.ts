/** The key that the server needs. It is kept as long as the tab is, and goes to this server alone. */
import { signal } from '@preact/signals'

const place = 'synoptic-key'

export const key = signal(read())

export function keepKey(value: string): void {
  key.value = value.trim()
  try {
    sessionStorage.setItem(place, key.value)
  } catch {
    // A browser that keeps nothing shows the form again after a reload.
  }
}

function read(): string {
  try {
    return sessionStorage.getItem(place) ?? ''
  } catch {
    return ''
  }
}

/** What a request says of the key; nothing without one. */
export const keyHeaders = (value = key.peek()): Readonly<Record<string, string>> =>
  value === '' ? {} : { Authorization: `Bearer ${value}` }
