/** What a title says of its season as 32 bits. */
import { seasonKinds, type Season } from './split-season.js'

export function packSeason({ number, part, kind, year }: Season): number {
  return ((year << 16) | (seasonKinds.indexOf(kind) << 12) | (part << 6) | number) >>> 0
}

export function unpackSeason(packed: number): Season {
  return {
    number: packed & 0x3f,
    part: (packed >>> 6) & 0x3f,
    kind: seasonKinds[(packed >>> 12) & 0xf] ?? 'none',
    year: packed >>> 16,
  }
}
