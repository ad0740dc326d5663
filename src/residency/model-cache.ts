/**
 * The models in memory, of all kinds. Each is loaded once, however many ask at the same time, and stays
 * until its memory is needed for another or nobody has used it for a while. The limit is kept by
 * releasing what was used longest ago. What is in use stays, and so does the model used last,
 * however large it is: a request never fails because of the limit.
 */

export interface ModelCache {
  /** A kind of model, whose memory counts together with that of all kinds. */
  kind<T>(release: (model: T, name: string) => Promise<void>): ModelKind<T>
  /** What is loaded or being loaded, the one used longest ago first. */
  loaded(): readonly { readonly name: string; readonly bytes: number }[]
  /** Releases what nobody has used within that time; answers the names. */
  closeIdle(idleMs: number): readonly string[]
  /** Releases all, what is in use too, and loads no more. Idempotent. */
  close(): Promise<void>
}

export interface ModelKind<T> {
  /** Runs a task with a model, which stays loaded meanwhile. What fails to load is tried anew the next time. */
  use<R>(name: string, source: ModelSource<T>, task: (model: T) => Promise<R>): Promise<R>
}

export interface ModelSource<T> {
  /** Memory that the model will take, as near as its files tell. */
  bytes(): Promise<number>
  load(): Promise<T>
}

interface Slot {
  readonly name: string
  bytes: number
  users: number
  /** Position in the order of use; a clock could stand still between two. */
  used: number
  usedMs: number
  /** Forgets the model and frees it; undefined while it is being loaded. */
  release?: () => Promise<void>
}

export interface ModelCacheOptions {
  readonly now?: () => number
  /** Told when a model that was released is gone. */
  readonly freed?: () => void
}

export function createModelCache(
  limitBytes: number,
  { now = () => performance.now(), freed = () => undefined }: ModelCacheOptions = {},
): ModelCache {
  const slots = new Set<Slot>()
  let isClosed = false
  let uses = 0

  return { kind, loaded, closeIdle, close }

  function kind<T>(release: (model: T, name: string) => Promise<void>): ModelKind<T> {
    const opening = new Map<string, { slot: Slot; model: Promise<T> }>()

    function begin(name: string, source: ModelSource<T>) {
      const slot: Slot = { name, bytes: 0, users: 0, used: 0, usedMs: now() }
      slots.add(slot)
      const forget = () => {
        slots.delete(slot)
        if (opening.get(name)?.slot === slot) opening.delete(name)
      }
      const open = async () => {
        slot.bytes = await source.bytes()
        await makeRoom()
        const model = await source.load()
        slot.release = async () => {
          forget()
          await release(model, name)
          freed()
        }
        if (isClosed) await slot.release()
        return model
      }
      const entry = { slot, model: open() }
      entry.model.catch(forget)
      opening.set(name, entry)
      return entry
    }

    return {
      async use(name, source, task) {
        if (isClosed) throw new Error('the cache of models is closed')
        const { slot, model } = opening.get(name) ?? begin(name, source)
        slot.users += 1
        slot.used = uses += 1
        try {
          return await task(await model)
        } finally {
          slot.users -= 1
          slot.used = uses += 1
          slot.usedMs = now()
          if (totalBytes() > limitBytes) void makeRoom()
        }
      },
    }
  }

  /** Resolves when the memory of what had to go is free. */
  async function makeRoom(): Promise<void> {
    const leaving: Promise<void>[] = []
    const [last] = byUse().reverse()
    for (const slot of byUse()) {
      if (totalBytes() <= limitBytes) break
      if (slot.users === 0 && slot !== last && slot.release) leaving.push(settled(slot.release()))
    }
    await Promise.all(leaving)
  }

  function closeIdle(idleMs: number): readonly string[] {
    const idle = byUse().filter(({ users, usedMs }) => users === 0 && now() - usedMs >= idleMs)
    for (const { release } of idle) if (release) void settled(release())
    return idle.map(({ name }) => name)
  }

  async function close(): Promise<void> {
    isClosed = true
    await Promise.all(byUse().map(async ({ release }) => release && settled(release())))
  }

  function loaded() {
    return byUse().map(({ name, bytes }) => ({ name, bytes }))
  }

  function byUse(): Slot[] {
    return [...slots].sort((a, b) => a.used - b.used)
  }

  function totalBytes(): number {
    return [...slots].reduce((sum, { bytes }) => sum + bytes, 0)
  }
}

/** A release that fails leaves a worker that ends with the process; nobody can do more. */
const settled = (releasing: Promise<void>): Promise<void> => releasing.catch(() => undefined)
