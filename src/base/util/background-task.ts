/** A background task of a server that runs again when its data change: one run at a time, until the server stops. */

export interface BackgroundTask {
  /** Runs the task; after a run under way, once more. */
  renew(): void
  /** Aborts the run under way, and resolves when it has ended. */
  stop(): Promise<void>
}

/** @param onFailure called with what a run rejects with */
export function createBackgroundTask(
  run: (signal: AbortSignal) => Promise<void>,
  onFailure: (failure: string) => void,
): BackgroundTask {
  const stop = new AbortController()
  let running = Promise.resolve()
  const runUnlessStopped = () => (stop.signal.aborted ? Promise.resolve() : run(stop.signal))
  return {
    renew() {
      running = running
        .then(runUnlessStopped)
        .catch((failure: unknown) => onFailure(String(failure)))
    },
    async stop() {
      stop.abort()
      await running
    },
  }
}
