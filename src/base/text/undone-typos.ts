/** Corrects one typo in a beginning, by the beginnings of a set of texts. */
import type { TextSet } from './text-set.js'

/** Shorter beginnings are one edit from nearly everything. */
const minLength = 3
/** A longer one is a title by itself, which is matched and not completed. */
const maxLength = 40

/**
 * All that is one edit away and begins a text of the set. The correct part before the edit must begin a
 * text, so the search ends soon after the typo. In other scripts than Latin only what was left in or
 * swapped is undone: they have too many letters to try.
 */
export function undoneTypos(set: TextSet, typed: string): Set<string> {
  const found = new Set<string>()
  if (typed.length < minLength || typed.length > maxLength) return found
  for (let at = 0; at <= typed.length; at += 1) {
    const before = typed.slice(0, at)
    if (at > 0 && !set.hasBeginning(before)) break
    const rest = typed.slice(at)
    const variants = [rest.slice(1), (rest[1] ?? '') + (rest[0] ?? '') + rest.slice(2)]
    for (const letter of letters) variants.push(letter + rest.slice(1), letter + rest)
    for (const variant of variants) {
      const whole = before + variant
      if (whole.length < minLength - 1 || whole === typed || found.has(whole)) continue
      // A letter added at the end completes the text, which needs no typo.
      if (whole.startsWith(typed)) continue
      if (set.hasBeginning(whole)) found.add(whole)
    }
  }
  return found
}

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
