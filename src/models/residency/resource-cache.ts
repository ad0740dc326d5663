/**
 * Resources that are costly to open and to keep, such as models and collections. Each is opened once, by
 * its first use, shared by all uses, and closed after a while without one, or when another needs its
 * memory. The limit is kept by closing what was used least recently. What is in use stays, and so does
 * the resource used last, however large it is: no request fails because of the limit.
 */

export interface ResourceCache {
  /**
   * Adds a kind of resource. The memory of all kinds counts together; names are those of one kind.
   * @param label the prefix of a name in what `closeIdle` returns; kinds may share one
   * @param close called once for each resource
   */
  kind<T>(label: string, close: Close<T>): ResourceKind<T>
  /** What is open or being opened of the kinds with that label, the least recently used first. */
  list(label: string): readonly ResourceState[]
  /** Closes what has had no use for that long; returns the labels and names. */
  closeIdle(idleMs: number): readonly string[]
  /** Closes everything, also what is in use, and opens no more. Idempotent. */
  close(): Promise<void>
}

type Close<T> = (resource: T, name: string) => void | Promise<void>

interface ResourceKind<T> {
  /**
   * Runs a task with a resource, which stays open meanwhile. All who wait for one that cannot be opened
   * get the error; the next use tries again.
   */
  use<R>(name: string, source: ResourceSource<T>, task: (resource: T) => Promise<R>): Promise<R>
  /** Closes a resource, also one that is in use; the next use opens another. */
  drop(name: string): Promise<void>
}

interface ResourceSource<T> {
  open(): Promise<T>
  /** Memory that the resource needs, as far as its files say; without it the limit ignores the resource. */
  bytes?(): Promise<number>
}

interface ResourceState {
  readonly name: string
  readonly bytes: number
  /** False while it is being opened. */
  readonly isOpen: boolean
}

export interface ResourceCacheOptions {
  /** Bytes of all resources together; no limit when omitted. */
  readonly limitBytes?: number
  readonly now?: () => number
  /** Called after a resource has been closed. */
  readonly onClosed?: () => void
}

interface Slot {
  readonly label: string
  readonly name: string
  bytes: number
  refs: number
  /** Position in the order of use; a clock may stand still between two uses. */
  lastUse: number
  lastUseMs: number
  /** Undefined while the resource is being opened. */
  close?: () => void | Promise<void>
  /** Takes the slot out of its kind: from here on a use opens another. */
  readonly forget: () => void
  isForgotten: boolean
}

export function createResourceCache({
  limitBytes = Infinity,
  now = () => performance.now(),
  onClosed = () => undefined,
}: ResourceCacheOptions = {}): ResourceCache {
  const slots = new Set<Slot>()
  let isClosed = false
  let uses = 0

  return { kind, list, closeIdle, close }

  function kind<T>(label: string, closeResource: Close<T>): ResourceKind<T> {
    const entries = new Map<string, { slot: Slot; opening: Promise<T> }>()

    function begin(name: string, source: ResourceSource<T>) {
      const forget = () => {
        slot.isForgotten = true
        slots.delete(slot)
        if (entries.get(name) === entry) entries.delete(name)
      }
      const base = { label, name, bytes: 0, refs: 0, lastUse: 0, lastUseMs: now() }
      const slot: Slot = { ...base, forget, isForgotten: false }
      slots.add(slot)
      const entry = { slot, opening: open(slot, source) }
      entries.set(name, entry)
      entry.opening.catch(forget)
      return entry
    }

    async function open(slot: Slot, source: ResourceSource<T>): Promise<T> {
      if (source.bytes !== undefined) {
        slot.bytes = await source.bytes()
        await makeRoom()
      }
      const resource = await source.open()
      slot.close = () => closeResource(resource, slot.name)
      // It was dropped, or the cache closed, while it was being opened.
      if (slot.isForgotten) await shut(slot)
      return resource
    }

    return {
      async use(name, source, task) {
        if (isClosed) throw new Error('the cache is closed')
        const { slot, opening } = entries.get(name) ?? begin(name, source)
        ref(slot)
        try {
          return await task(await opening)
        } finally {
          unref(slot)
        }
      },
      async drop(name) {
        const entry = entries.get(name)
        if (entry !== undefined) await shut(entry.slot)
      },
    }
  }

  function ref(slot: Slot): void {
    slot.refs += 1
    slot.lastUse = uses += 1
  }

  function unref(slot: Slot): void {
    slot.refs -= 1
    slot.lastUse = uses += 1
    slot.lastUseMs = now()
    if (totalBytes() > limitBytes) void makeRoom()
  }

  /** Resolves when the memory of what had to go is free. */
  async function makeRoom(): Promise<void> {
    const closing: Promise<void>[] = []
    const sized = byUse(slots).filter(({ bytes }) => bytes > 0)
    for (const slot of sized.slice(0, -1)) {
      if (totalBytes() <= limitBytes) break
      if (isIdle(slot)) closing.push(shut(slot))
    }
    await Promise.all(closing)
  }

  function list(label: string): readonly ResourceState[] {
    const ofKind = byUse(slots).filter((slot) => slot.label === label)
    return ofKind.map(({ name, bytes, close }) => ({ name, bytes, isOpen: close !== undefined }))
  }

  function closeIdle(idleMs: number): readonly string[] {
    const idle = byUse(slots).filter((slot) => isIdle(slot) && now() - slot.lastUseMs >= idleMs)
    for (const slot of idle) void shut(slot)
    return idle.map(({ label, name }) => `${label} ${name}`)
  }

  async function close(): Promise<void> {
    isClosed = true
    await Promise.all(byUse(slots).map(shut))
  }

  async function shut(slot: Slot): Promise<void> {
    slot.forget()
    // What is being opened is closed as soon as it is open.
    if (slot.close === undefined) return
    try {
      await slot.close()
    } catch {
      // A worker thread that does not end does so with the process; nobody can do more.
    }
    onClosed()
  }

  function totalBytes(): number {
    let total = 0
    for (const { bytes } of slots) total += bytes
    return total
  }
}

const isIdle = ({ refs, close }: Slot) => refs === 0 && close !== undefined

const byUse = (slots: Iterable<Slot>): Slot[] => [...slots].sort((a, b) => a.lastUse - b.lastUse)
