/** A promise that the test settles. */
export function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  const settle: (() => void)[] = []
  const promise = new Promise<void>((resolve) => settle.push(resolve))
  return { promise, resolve: () => settle.forEach((resolve) => resolve()) }
}
