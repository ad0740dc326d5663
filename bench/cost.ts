/** What a task took: of the clock, and of all processors together, which a busy machine changes least. */
export interface Cost {
  readonly ms: number
  readonly processorMs: number
}

export const noCost: Cost = { ms: NaN, processorMs: NaN }

export async function costOf(task: () => Promise<unknown>): Promise<Cost> {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  await task()
  const { user, system } = process.cpuUsage(before)
  return { ms: performance.now() - begun, processorMs: (user + system) / 1000 }
}

/** Medians by name: all take turns, so that a machine that gets slower does so for all. */
export async function compete(
  tasks: ReadonlyMap<string, () => Promise<Cost>>,
  rounds: number,
): Promise<ReadonlyMap<string, Cost>> {
  const costs = new Map<string, Cost[]>([...tasks.keys()].map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, task] of tasks) costs.get(name)?.push(await task())
  }
  return new Map([...costs].map(([name, list]) => [name, medianOf(list)]))
}

function medianOf(costs: readonly Cost[]): Cost {
  const median = (list: readonly number[]) =>
    list.toSorted((a, b) => a - b)[list.length >> 1] ?? NaN
  return {
    ms: median(costs.map(({ ms }) => ms)),
    processorMs: median(costs.map(({ processorMs }) => processorMs)),
  }
}
