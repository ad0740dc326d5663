/** How well known each entry is, as the catalogue keeps it: one number a row, or nothing at all. */

/** Float32 a row, least significant byte first; null where nothing is known of any. */
export function packPopularity(popularity: readonly (number | null)[]): Buffer | null {
  const values = Float32Array.from(popularity, (value) => value ?? NaN)
  return values.every(Number.isNaN) ? null : Buffer.from(values.buffer)
}

export function unpackPopularity(packed: Buffer): Float32Array {
  // A view of four-byte numbers has to start at a multiple of four.
  const { buffer, length } = Uint8Array.from(packed)
  return new Float32Array(buffer, 0, Math.floor(length / 4))
}
