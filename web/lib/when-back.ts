/** Notices that a server which was away answers again. */

/** So often a server that is away is tried. */
const againMs = 2000

/**
 * Calls back once, when the server answers after it did not; never where it was there all along, since then a
 * request failed for another reason.
 * @returns what ends the waiting
 */
export function whenBack(tell: () => void): () => void {
  const left = new AbortController()
  let wasAway = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = async () => {
    const isThere = await answers(left.signal)
    if (left.signal.aborted) return
    if (isThere && wasAway) tell()
    else timer = setTimeout(() => void look(), againMs)
    wasAway ||= !isThere
  }
  void look()
  return () => {
    left.abort()
    clearTimeout(timer)
  }
}

/** Requests a file of this page, which costs the server next to nothing. */
const answers = (signal: AbortSignal): Promise<boolean> =>
  fetch('page/icon.svg', { method: 'HEAD', cache: 'no-store', signal }).then(
    ({ ok }) => ok,
    () => false,
  )
