export const sumOf = (numbers: Uint32Array): number =>
  numbers.reduce((sum, number) => sum + number, 0)
