/** Arrays of numbers as the file keeps them: four bytes each, least significant first. */

export function packNumbers({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)
}

export function unpackFloats(packed: Buffer): Float32Array {
  const { buffer, length } = aligned(packed)
  return new Float32Array(buffer, 0, Math.floor(length / 4))
}

/** A view of four-byte numbers has to start at a multiple of four. */
const aligned = (packed: Buffer) => Uint8Array.from(packed)
