/** What this browser keeps for the page. A browser that keeps nothing forgets it with the tab. */

/** What `keep` stored under that name; undefined where there is nothing. */
export function readKept(name: string): unknown {
  try {
    const text = localStorage.getItem(name)
    return text === null ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

/** @param value undefined forgets it */
export function keep(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(name)
    else localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Then it lasts as long as the page.
  }
}
