/** Tasks that wait for each other in their middle, where one action happens once for all of them. */
export interface Barrier {
  /**
   * Runs the tasks side by side. Each calls its `arrive` once, or ends without; when all have, the action runs, and their
   * promises resolve. If a task fails before, those that wait reject, and the action does not run.
   */
  all(tasks: readonly ((arrive: () => Promise<void>) => Promise<void>)[]): Promise<void>
}

export function createBarrier(count: number, action: () => void): Barrier {
  let open: () => void = () => undefined
  let refuse: (error: unknown) => void = () => undefined
  const opening = new Promise<void>((resolve, reject) => ([open, refuse] = [resolve, reject]))
  opening.catch(() => undefined)
  let missing = Math.max(1, count)
  function pass(): void {
    missing -= 1
    if (missing > 0) return
    try {
      action()
      open()
    } catch (error) {
      refuse(error)
    }
  }
  return {
    async all(tasks) {
      if (tasks.length === 0) pass()
      const runs = tasks.map(async (task) => {
        let hasArrived = false
        const arrive = () => {
          if (!hasArrived) pass()
          hasArrived = true
          return opening
        }
        try {
          await task(arrive)
          await arrive()
        } catch (error) {
          refuse(error)
          throw error
        }
      })
      const failed = (await Promise.allSettled([opening, ...runs])).find(
        ({ status }) => status === 'rejected',
      )
      if (failed?.status === 'rejected') throw failed.reason
    },
  }
}
