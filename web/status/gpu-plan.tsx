/** What fits into the memory of the GPU, as `synoptic gpu plan` says it. */
import { bytes } from './numbers.js'
import { Table } from './tables.js'
import { gpu, health } from './watch.js'

interface Need {
  readonly bytes: number
  readonly fits: boolean
}

export function GpuPlan() {
  const plan = gpu.value
  const cell = (need: Need) => `${bytes(need.bytes)}, ${need.fits ? 'fits' : 'too large'}`
  const rows = (plan?.collections ?? []).map(
    ({ dataset, model, built, few, batches, rescoring }) => [
      `${dataset} ${model}${built ? '' : ' (estimated)'}`,
      cell(few),
      cell(batches),
      cell(rescoring),
    ],
  )
  if (plan === null) return <NoGpu />
  return (
    <Table
      title={`GPU: what fits into ${bytes(plan.limit_bytes)}`}
      head={['Collection', 'Few queries', 'Batches', 'With rescoring']}
      rows={rows}
      empty="There are no collections."
    />
  )
}

/** Most servers have none, so the reason is for those who look for it. */
function NoGpu() {
  const reason = health.value?.cuda_reason
  return (
    <section>
      <h2>GPU</h2>
      <p class="aside">No GPU in use.</p>
      {reason && (
        <details class="aside">
          <summary>Why not</summary>
          {reason}
        </details>
      )}
    </section>
  )
}
