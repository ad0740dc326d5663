/**
 * 53 bits of a text, so that titles are looked up among numbers. Two of a million titles share a key once
 * in ten thousand catalogues, and a query meets a foreign key once in ten billion.
 */
export function textKey(text: string): number {
  let one = 0x41c6ce57
  let other = 0xdeadbeef
  for (let position = 0; position < text.length; position += 1) {
    const unit = text.charCodeAt(position)
    one = Math.imul(one ^ unit, 0x85ebca77)
    other = Math.imul(other ^ unit, 0xc2b2ae3d)
  }
  one = mix(one, other)
  other = mix(other, one)
  return (one & 0x1fffff) * 2 ** 32 + (other >>> 0)
}

function mix(bits: number, others: number): number {
  const mixed =
    Math.imul(bits ^ (bits >>> 16), 0x9e3779b1) ^ Math.imul(others ^ (others >>> 13), 0x27d4eb2f)
  return mixed ^ (mixed >>> 15)
}
