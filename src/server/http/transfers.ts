/**
 * Memory of bodies on their way: of requests that are arriving, and of responses that clients have not read. All
 * connections share one budget. When it is used up, the oldest ones are cut off, as sound clients take milliseconds;
 * one alone never is.
 */
export interface Transfers {
  /** @param cut called at most once, when the memory is needed for others */
  begin(cut: () => void): Transfer
}

interface Transfer {
  /** Counts bytes more, which may cut off older transfers or this one. */
  grow(bytes: number): void
  /** Gives the bytes back. */
  end(): void
}

export function createTransfers(limitBytes: number): Transfers {
  /** The oldest first. */
  const open = new Map<() => void, number>()
  let held = 0
  const forget = (cut: () => void) => {
    held -= open.get(cut) ?? 0
    open.delete(cut)
  }
  return {
    begin(whenCut) {
      // A function of its own, as two transfers may be given the same one.
      const cut = () => whenCut()
      open.set(cut, 0)
      return {
        grow(bytes) {
          const before = open.get(cut)
          if (before === undefined) return
          open.set(cut, before + bytes)
          held += bytes
          for (const [oldest] of open) {
            if (held <= limitBytes || open.size === 1) return
            forget(oldest)
            oldest()
          }
        },
        end: () => forget(cut),
      }
    },
  }
}
