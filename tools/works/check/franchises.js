/**
 * Keys of franchises: each has one main anime or manga, or franchises.json says why not; what is recommended is another
 * franchise of the same file.
 */

/** `works`: { file, record }; `reasons`: { key: why there is not one main }. */
export function faultsOfFranchises(works, reasons) {
  const byKey = new Map()
  for (const { file, record } of works) {
    const own = byKey.get(record.franchise) ?? { all: 0, anime: [], manga: [] }
    own.all += 1
    if (record.place === 'main') own[file].push(record.mal)
    byKey.set(record.franchise, own)
  }
  const faults = faultsOfRecommended(works)
  for (const [key, { anime, manga }] of byKey) {
    if (key in reasons) continue
    if (anime.length + manga.length === 0)
      faults.push(`franchise ${key}: no work is its main; say why in franchises.json`)
    for (const [file, mains] of Object.entries({ anime, manga }))
      if (mains.length > 1)
        faults.push(`franchise ${key}: ${mains.length} mains in ${file}: ${mains.join(', ')}`)
  }
  for (const [key, reason] of Object.entries(reasons)) {
    const own = byKey.get(key)
    if (!own) faults.push(`franchises.json: ${key}: no work has this key`)
    else if (own.anime.length <= 1 && own.manga.length <= 1 && own.anime.length + own.manga.length)
      faults.push(`franchises.json: ${key}: has a main, needs no reason`)
    if (typeof reason !== 'string' || reason.trim() === '')
      faults.push(`franchises.json: ${key}: no reason is given`)
  }
  return faults
}

function faultsOfRecommended(works) {
  const keys = { anime: new Set(), manga: new Set() }
  for (const { file, record } of works) keys[file].add(record.franchise)
  return works.flatMap(({ file, record: { mal, franchise, recommended = [] } }) =>
    recommended
      .filter((key) => key === franchise || !keys[file].has(key))
      .map((key) => {
        const reason = key === franchise ? 'is its own franchise' : `no ${file} has this key`
        return `${file} ${mal}: recommended: ${key}: ${reason}`
      }),
  )
}
