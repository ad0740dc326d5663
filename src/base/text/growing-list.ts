/** A list of numbers that grows, four bytes each. */
export interface GrowingList {
  push(number: number): void
  readonly length: number
  /** A view of what is in it; not valid after a push. */
  view(): Uint32Array
}

export function createGrowingList(): GrowingList {
  let numbers = new Uint32Array(1024)
  let length = 0
  return {
    push(number) {
      if (length === numbers.length) {
        const larger = new Uint32Array(length * 2)
        larger.set(numbers)
        numbers = larger
      }
      numbers[length] = number
      length += 1
    },
    get length() {
      return length
    },
    view: () => numbers.subarray(0, length),
  }
}
