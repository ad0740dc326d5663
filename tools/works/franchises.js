/**
 * Groups works into franchises, names each by a key and each work's place.
 *
 * Relations are believed where the titles share a telling word; a relation
 * without one (a crossover as well as a renamed sequel) is noted for a reader,
 * and overrides.json says which to merge.
 */

const SEASON =
  /\s*(?:[:,-]\s*)?(?:\b(?:the\s+)?(?:final|first|second|third|fourth|fifth|\d+(?:st|nd|rd|th))\s+(?:season|series|cour)\b.*|\b(?:season|series|cour|part|s)\s*\d+\b.*|\b(?:the\s+)?(?:movie|ova|ona|oad|special|specials|tv|the animation|gekijouban|recap|film)\b.*|\(\d{4}\)|\(TV\)|(?<=\s\S+)\s\d$)/i

// In capitals: "Hunter x Hunter" has no tenth season.
const NUMERAL = /\s(?:II|III|IV|VI|VII|VIII|IX)\b.*/

/** @param {string} title */
export const baseTitle = (title) => {
  const cut = title.replace(NUMERAL, '').replace(SEASON, '').trim()
  return (cut.length >= 3 ? cut : title).replace(/[\s:,-]+$/, '')
}

/** @param {string} title */
const stem = (title) => baseTitle(title.split(/: | - | – /)[0])

/** @param {string} text */
export const kebab = (text) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’'`´]/g, '')
    .replace(/×/g, 'x')
    .replace(/&/g, ' and ')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

const STOP = new Set(
  (
    'the and of a an in to no wa ga wo ni de to ka mo na he ya ne yo movie film ova ona oad tv ' +
    'season part second third first final series special specials animation anime shin new hen ' +
    '2nd 3rd 4th 5th 6th ii iii iv v 1 2 3 4 5 6 7 8 9 10 x z s r from with for on at my you i is ' +
    'story stories monogatari chapter arc world love girl boy shoujo shounen gekijouban'
  ).split(' '),
)

/**
 * @param {{works: any[], relatedRows: any[], idRows: any[], overrides: any,
 *   fold: (text?: string) => string}} input
 * @returns {string[]} notes for a reader
 */
export function franchises({ works, relatedRows, idRows, overrides, fold }) {
  const notes = []
  const parent = new Map()
  const find = (x) => {
    while (parent.get(x) !== undefined && parent.get(x) !== x) x = parent.get(x)
    return x
  }
  const idOf = (w) => `${w.kind === 'anime' ? 'anime' : 'manga'}:${w.record.mal}`
  const splits = new Set(overrides.split.map((s) => [...s.pair].sort().join()))
  const join = (a, b) => {
    if (splits.has([a, b].sort().join()) || apart(a) !== apart(b)) return
    const [x, y] = [find(a), find(b)]
    if (x !== y) parent.set(x, y)
  }

  // Every title a work is known by, for works outside the lists as well.
  const names = new Map()
  for (const w of works)
    names.set(idOf(w), [
      w.record.titles.romaji,
      w.record.titles.english,
      w.planetName,
      ...(w.record.titles.other ?? []),
    ])
  for (const row of relatedRows) {
    const id = `anime:${row.mal_id}`
    if (!names.has(id)) names.set(id, [row.title])
  }
  for (const row of idRows) {
    const id = `anime:${row.myanimelist}`
    if (row.myanimelist && !names.has(id)) names.set(id, [row.title])
  }
  // Works that relations or titles tie to others, but which stand on their own.
  const groupsApart = overrides.apart.map((group) => ({
    ids: new Set(group.ids),
    match: group.match && new RegExp(group.match),
  }))
  const apartness = new Map()
  const apart = (id) => {
    if (!apartness.has(id))
      apartness.set(
        id,
        groupsApart.findIndex(
          (g) => g.ids.has(id) || (g.match && g.match.test(names.get(id)?.[0] ?? '')),
        ),
      )
    return apartness.get(id)
  }
  const tokens = (id) =>
    new Set(
      (names.get(id) ?? [])
        .filter((t) => t && !/ x /.test(t))
        .flatMap((t) => fold(t).split(' '))
        .filter((t) => t.length > 1 && !STOP.has(t)),
    )
  const frequency = new Map()
  for (const w of works)
    for (const t of tokens(idOf(w))) frequency.set(t, (frequency.get(t) ?? 0) + 1)
  const kin = (a, b) => {
    const other = tokens(b)
    for (const t of tokens(a)) if (other.has(t) && (frequency.get(t) ?? 0) <= 30) return true
    const firsts = (id) =>
      (names.get(id) ?? [])
        .filter(Boolean)
        .map((t) => fold(t).split(' ').slice(0, 2).join(' '))
        .filter((t) => t.length >= 7)
    const set = new Set(firsts(b))
    return firsts(a).some((t) => set.has(t))
  }

  // 1. relations and one trakt id
  const weak = new Map()
  const listed = new Set(works.map(idOf))
  // "Toriko x One Piece" would tie the two together.
  const crossover = (id) =>
    !listed.has(id) &&
    (names.get(id) ?? []).some((t) => / (x|×|vs\.?|to|&) |collab|quartet|fest|×/i.test(t ?? ''))
  const ties = new Set(overrides.crossovers.flatMap((c) => c.ids))
  const edge = (a, b, kind) => {
    if (a === b || crossover(a) || crossover(b) || ties.has(a) || ties.has(b)) return
    if (kin(a, b)) join(a, b)
    else weak.set([a, b].sort().join(' '), kind)
  }
  for (const row of relatedRows) {
    const a = `anime:${row.mal_id}`
    for (const y of row.related.split(' ').filter(Boolean)) edge(a, `anime:${y}`, 'related')
    if (row.main_anime) edge(a, `anime:${row.main_anime}`, 'main')
  }
  const trakt = new Map()
  for (const row of idRows) {
    if (!row.trakt || !row.myanimelist) continue
    const key = `${row.trakt_type}:${row.trakt}`
    const id = `anime:${row.myanimelist}`
    if (trakt.has(key)) edge(trakt.get(key), id, 'trakt')
    else trakt.set(key, id)
  }

  // 2. the same base title among the works; a title that goes on from one
  const byBase = new Map()
  for (const w of works) {
    const id = idOf(w)
    for (const t of [w.record.titles.romaji, w.record.titles.english]) {
      if (!t) continue
      for (const key of new Set([fold(t), fold(baseTitle(t))])) {
        if (key.length < 3) continue
        if (byBase.has(key)) join(byBase.get(key), id)
        else byBase.set(key, id)
      }
    }
  }
  for (const w of works) {
    const id = idOf(w)
    for (const t of [w.record.titles.romaji, w.record.titles.english]) {
      if (!t) continue
      const folded = fold(t)
      const parts = folded.split(' ')
      for (let n = parts.length - 1; n >= 1; n--) {
        const head = parts.slice(0, n).join(' ')
        const other = byBase.get(head)
        if (other === undefined || other === id) continue
        // One word or a short head only before a colon or dash.
        const after = t.slice(head.length)
        const strong = fold(stem(t)) === head || (n >= 3 && head.length >= 14)
        if (strong && (n >= 2 || head.length >= 5)) {
          if (find(other) !== find(id))
            notes.push(`title ${id} ${t} <- ${other} ${names.get(other)[0]}`)
          join(other, id)
          break
        }
        void after
      }
    }
  }
  for (const { ids } of overrides.merge) for (const id of ids.slice(1)) join(ids[0], id)

  for (const [pair, kind] of weak) {
    const [a, b] = pair.split(' ')
    if (find(a) === find(b) || !listed.has(a) || !listed.has(b)) continue
    notes.push(
      `weak ${kind} ${a} ${names.get(a)[0]} / ${names.get(a)[1] ?? ''} <> ${b} ${names.get(b)[0]} / ${names.get(b)[1] ?? ''}`,
    )
  }

  // 3. keys
  const groups = new Map()
  for (const w of works) {
    const root = find(idOf(w))
    if (!groups.has(root)) groups.set(root, [])
    groups.get(root).push(w)
  }
  const named = new Map()
  for (const f of overrides.franchises) for (const id of f.ids ?? [f.id]) named.set(id, f.key)
  const taken = new Map()
  const best = (g) => Math.min(...g.map((w) => w.record.rank * (w.kind === 'anime' ? 1 : 2) + 0.1))
  const ordered = [...groups.values()].sort((a, b) => best(a) - best(b))
  for (const group of ordered) {
    placeOf(group)
    for (const w of group) w.record.place = overrides.works[idOf(w)]?.place ?? w.record.place
    const lead = leadOf(group)
    let key = group.map((w) => named.get(idOf(w))).find(Boolean)
    if (!key) {
      const title = lead.record.titles.english ?? lead.record.titles.romaji
      const short = stem(title)
      const shared = group.some(
        (w) =>
          w !== lead &&
          [w.record.titles.english, w.record.titles.romaji].some(
            (t) =>
              t &&
              fold(t) !== fold(title) &&
              (fold(t) === fold(short) || fold(t).startsWith(`${fold(short)} `)),
          ),
      )
      // A number that ends a first work's title belongs to it: Kaiju No. 8.
      const whole = /\s\d$/.test(title) ? title : baseTitle(title)
      key = kebab(shared && !/\s\d$/.test(title) ? short : whole) || kebab(title)
      const brief = kebab(title.split(/[:?!,] /)[0])
      if (key.split('-').length > 7 && brief.split('-').length > 1) key = brief
      if (key === '') key = kebab(lead.record.titles.romaji)
    }
    if (taken.has(key)) {
      notes.push(`key ${key} twice: ${names.get(idOf(lead))[0]} and ${taken.get(key)}`)
      let n = `${key}-${lead.record.year ?? lead.record.mal}`
      if (taken.has(n)) n = `${key}-${lead.record.mal}`
      key = n
    }
    taken.set(key, names.get(idOf(lead))[0])
    for (const w of group) w.record.franchise = key
    for (const kind of ['anime', 'print']) {
      const part = group.filter((w) => (w.kind === 'anime') === (kind === 'anime'))
      if (part.length > 0 && !part.some((w) => w.record.place === 'main'))
        notes.push(
          `no main in ${kind} ${key}: ${part.map((w) => `${idOf(w)} ${w.record.titles.romaji} (${w.record.place})`).join(', ')}`,
        )
    }
  }
  return notes

  function leadOf(group) {
    const score = (w) =>
      w.record.rank * (w.kind === 'anime' ? 1 : 2) +
      (w.record.place === 'main' ? 0 : w.record.place === 'remake' ? 500 : 5000)
    return [...group].sort((a, b) => score(a) - score(b))[0]
  }

  function placeOf(group) {
    const screen = group.filter((w) => w.kind === 'anime')
    const paper = group.filter((w) => w.kind !== 'anime')
    // Where one would start: the best known, unless its title or a relation
    // says that it carries something on.
    const handicap = (w) =>
      w.record.rank *
      (w.hasPrequel ? 4 : 1) *
      (later(w.record.titles.romaji) ? 30 : 1) *
      (EXTRA.test(w.record.titles.romaji) ? 10 : 1) *
      (w.kind !== 'anime' || ['tv', 'ona'].includes(w.record.type) ? 1 : 6)
    const first = (list) => [...list].sort((a, b) => handicap(a) - handicap(b))[0]
    for (const list of [screen, paper]) {
      if (list.length === 0) continue
      let main = first(list)
      const earlier = list.find(
        (w) =>
          w !== main &&
          w.kind === 'anime' &&
          ['tv', 'ova'].includes(w.record.type) &&
          w.record.year + 5 <= main.record.year &&
          !w.hasPrequel &&
          fold(baseTitle(w.record.titles.romaji)) === fold(baseTitle(main.record.titles.romaji)) &&
          !later(w.record.titles.romaji),
      )
      // A retold story: the first telling is the main work.
      const again = earlier && !EXTRA.test(earlier.record.titles.romaji)
      const retelling = again ? main : undefined
      if (again) main = earlier
      for (const w of list) w.record.place = w === retelling ? 'remake' : place(w, main, list)
    }
  }
}

const LATER =
  /\b(2nd|3rd|4th|5th|6th|second|third|fourth|fifth|final) season\b|\bseason [2-9]\b|\bpart [2-9]\b|\bS[2-9]\b|\s[2-9]$|\b(zoku|ni no sara|san no sara)\b/i
const later = (title) => LATER.test(title) || NUMERAL.test(title)
const RECAP = /soushuuhen|recap|digest|compilation|kaisou|furikaeri|summary|\.5$|zenkai made/i
const EXTRA = /\b(ova|oad|ona|specials?|picture drama|mini|petit|recap|gaiden|movie|film)\b/i
const SIDE = /\b(gaiden|side story|bangai|after story|extra|ova|oad)\b/i

function place(w, main, list) {
  const title = w.record.titles.romaji
  const { type } = w.record
  if (w === main) return 'main'
  if (RECAP.test(title)) return 'recap'
  const same = baseTitle(title).toLowerCase() === baseTitle(main.record.titles.romaji).toLowerCase()
  if (w.kind !== 'anime') {
    if (later(title)) return 'sequel'
    if (same) return 'main'
    if (SIDE.test(title)) return 'side-story'
    return 'spin-off'
  }
  if (type === 'movie') return 'film'
  if (type === 'special' || type === 'music') return 'special'
  if (type === 'ova') return 'side-story'
  if (w.hasPrequel || later(title)) return 'sequel'
  if (
    same &&
    (type === 'tv' || type === 'ona') &&
    (w.record.year ?? 0) >= (main.record.year ?? 9999) + 5 &&
    list.length > 1
  )
    return 'remake'
  if ((w.record.year ?? 9999) > (main.record.year ?? 0) && w.main === undefined) return 'sequel'
  return 'spin-off'
}
