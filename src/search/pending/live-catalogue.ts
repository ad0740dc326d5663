/** A catalogue as pending writes leave it: rows that they delete or replace are hidden, or shown as they will be. */
import type { Catalogue, DatasetName } from '../../data/catalogue/catalogue.js'
import { withoutRows, type RowMask } from '../../base/util/row-mask.js'
import type { PendingView } from './pending-view.js'

type CurrentView = () => PendingView | undefined

/** Without the rows that are deleted or replaced. */
export function withoutChanged(catalogue: Catalogue, current: CurrentView): Catalogue {
  return hideRows(catalogue, current, (view, name) => view.changedRows(name))
}

/** Without the rows that are deleted; a replaced entry is shown as it will be, with the texts' vectors that it had. */
export function withReplaced(catalogue: Catalogue, current: CurrentView): Catalogue {
  const hidden = hideRows(catalogue, current, (view, name) => view.deletedRows(name))
  return {
    ...hidden,
    entry(name, row) {
      const place = current()?.replacement(name, row)
      return place ? place.catalogue.entry(name, place.row) : catalogue.entry(name, row)
    },
    text(name, row, column) {
      const place = current()?.replacement(name, row)
      return place
        ? place.catalogue.text(name, place.row, column)
        : catalogue.text(name, row, column)
    },
  }
}

type RowsOf = (view: PendingView, name: DatasetName) => ReadonlySet<number>

function hideRows(catalogue: Catalogue, current: CurrentView, rowsOf: RowsOf): Catalogue {
  const masks = createMasks(catalogue)
  const hiddenRows = (name: DatasetName): ReadonlySet<number> => {
    const view = current()
    return view === undefined ? none : rowsOf(view, name)
  }
  return {
    ...catalogue,
    mask: (name, filter) => masks.without(name, catalogue.mask(name, filter), hiddenRows(name)),
    rowOfId(name, id) {
      const row = catalogue.rowOfId(name, id)
      return row !== undefined && hiddenRows(name).has(row) ? undefined : row
    },
    rowsOfSite: (name, site, id) =>
      catalogue.rowsOfSite(name, site, id).filter((row) => !hiddenRows(name).has(row)),
  }
}

const none: ReadonlySet<number> = new Set()

/** Masks without hidden rows: one object for each, as searches with the same mask share a scan. */
function createMasks(catalogue: Catalogue) {
  const made = new WeakMap<ReadonlySet<number>, WeakMap<object, RowMask>>()
  return {
    without(name: DatasetName, mask: RowMask | undefined, hidden: ReadonlySet<number>) {
      if (hidden.size === 0) return mask
      const rows = catalogue.dataset(name)?.rows ?? 0
      const ofHidden = made.get(hidden) ?? new WeakMap<object, RowMask>()
      made.set(hidden, ofHidden)
      const key = mask ?? hidden
      const known = ofHidden.get(key) ?? withoutRows(mask, rows, hidden)
      ofHidden.set(key, known)
      return known
    },
  }
}
