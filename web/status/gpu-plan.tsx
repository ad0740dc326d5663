/** What fits into the memory of the GPU, as `synoptic gpu plan` says it. */
import { bytes } from './numbers.js'
import { Table } from './tables.js'
import { gpu } from './watch.js'

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
  const title = plan === null ? 'GPU' : `GPU: what fits into ${bytes(plan.limit_bytes)}`
  return (
    <Table
      title={title}
      head={['Collection', 'Few queries', 'Batches', 'With rescoring']}
      rows={rows}
      empty={plan === null ? 'No GPU in use.' : 'There are no collections.'}
    />
  )
}
