/**
 * Things that are costly to open and to keep: each is opened at its first use, shared by all who use
 * it, and closed when nobody has for a while. The pool owns what it opened.
 */
export interface IdlePool<T> {
  /**
   * Runs a task with the thing of that name, which stays open meanwhile. It is opened once, however
   * many ask at the same time; a failure is told to them and not kept.
   */
  use<R>(name: string, open: () => Promise<T>, task: (thing: T) => Promise<R>): Promise<R>
  /** Names of what is open now. */
  opened(): readonly string[]
  /** Closes a thing that is spoiled, in use or not; the next use opens another. */
  drop(name: string): void
  /** Closes what nobody has used within that time; answers the names. */
  closeIdle(idleMs: number): readonly string[]
  /** Closes all, what is in use too, and opens no more. Idempotent. */
  close(): void
}

interface Slot<T> {
  readonly opening: Promise<T>
  /** Undefined while it is being opened. */
  thing?: T
  users: number
  usedAt: number
}

/** @param close called once for each thing, with its name */
export function createIdlePool<T>(
  close: (thing: T, name: string) => void,
  now: () => number = () => performance.now(),
): IdlePool<T> {
  const slots = new Map<string, Slot<T>>()
  let isClosed = false

  function begin(name: string, open: () => Promise<T>): Slot<T> {
    const slot: Slot<T> = { opening: open(), users: 0, usedAt: now() }
    slots.set(name, slot)
    slot.opening.then(
      (thing) => {
        slot.thing = thing
        if (slots.get(name) !== slot) close(thing, name)
      },
      () => {
        if (slots.get(name) === slot) slots.delete(name)
      },
    )
    return slot
  }

  function remove(name: string, { thing }: Slot<T>): void {
    slots.delete(name)
    if (thing !== undefined) close(thing, name)
  }

  return {
    async use(name, open, task) {
      if (isClosed) throw new Error('the pool is closed')
      const slot = slots.get(name) ?? begin(name, open)
      slot.users += 1
      try {
        return await task(await slot.opening)
      } finally {
        slot.users -= 1
        slot.usedAt = now()
      }
    },
    opened() {
      return [...slots].filter(([, { thing }]) => thing !== undefined).map(([name]) => name)
    },
    drop(name) {
      const slot = slots.get(name)
      if (slot !== undefined) remove(name, slot)
    },
    closeIdle(idleMs) {
      const idle = [...slots].filter(
        ([, { thing, users, usedAt }]) =>
          thing !== undefined && users === 0 && now() - usedAt >= idleMs,
      )
      for (const [name, slot] of idle) remove(name, slot)
      return idle.map(([name]) => name)
    },
    close() {
      isClosed = true
      for (const [name, slot] of slots) remove(name, slot)
    },
  }
}
