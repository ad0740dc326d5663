/** What is out of service because a file of it was found damaged. */
import type { EmbeddingsBrokenError } from '../../base/errors/index.js'

export interface Damage {
  readonly dataset: string
  readonly model: string
  readonly error: EmbeddingsBrokenError
}

export interface Damages {
  list(): readonly Damage[]
  /** @param openingMs what the attempt took that found the damage */
  add(name: string, damage: Damage, openingMs: number): void
  remove(name: string): void
  /** Throws the error of what is damaged, until it is time to look again. */
  check(name: string): void
}

/** An opening reads everything, so what stays damaged takes a twentieth of the time at most. */
const openingShare = 1 / 20
const minHoldOffMs = 5000

export function createDamages(onDamage: (damage: Damage) => void): Damages {
  const damages = new Map<string, { damage: Damage; untilMs: number }>()
  return {
    list: () => [...damages.values()].map(({ damage }) => damage),
    add(name, damage, openingMs) {
      const isKnown = damages.has(name)
      const holdOffMs = Math.max(minHoldOffMs, openingMs / openingShare)
      damages.set(name, { damage, untilMs: performance.now() + holdOffMs })
      if (!isKnown) onDamage(damage)
    },
    remove: (name) => void damages.delete(name),
    check(name) {
      const known = damages.get(name)
      if (known !== undefined && performance.now() < known.untilMs) throw known.damage.error
    },
  }
}
