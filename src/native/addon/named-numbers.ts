/** Lists of numbers by name, as the core collects them for an index of rows: native/core/rows/named_numbers.h. */
import { loadAddon } from './addon.js'

export interface NamedNumbers {
  /**
   * Adds a number to a list, unless it was the last one of the list.
   * @param name what the index has the list by; that which came first with the key
   */
  add(key: string, number: number, name?: string): void
  /** The last call. */
  build(): BuiltNamedNumbers
}

interface BuiltNamedNumbers {
  /** In the order of their bytes, which numbers the lists. */
  readonly names: Iterable<string>
  /** What a `.rows` file has of them, by the ends of the names of sections. */
  readonly sections: readonly { readonly name: string; readonly bytes: Uint8Array }[]
}

/** @param kind what the names of the sections begin with */
export function createNamedNumbers(kind: string): NamedNumbers {
  const native = new (loadAddon().NamedNumbers)()
  return {
    add: (key, number, name = key) => native.add(key, name, number),
    build() {
      const { names, nameEnds, numbers, ends } = native.build()
      return {
        names: { [Symbol.iterator]: () => namesOf(names, nameEnds) },
        sections: [
          { name: `${kind}.names`, bytes: names },
          { name: `${kind}.name-ends`, bytes: bytesOf(nameEnds) },
          { name: `${kind}.numbers`, bytes: bytesOf(numbers) },
          { name: `${kind}.ends`, bytes: bytesOf(ends) },
        ],
      }
    },
  }
}

function* namesOf(names: Uint8Array, ends: Uint32Array): Generator<string> {
  const bytes = Buffer.from(names.buffer, names.byteOffset, names.byteLength)
  let begin = 0
  for (const end of ends) {
    yield bytes.toString('utf8', begin, end)
    begin = end
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Uint32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
