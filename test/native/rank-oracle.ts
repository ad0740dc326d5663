/** What native/core/rows computes of every row, in plain loops: float32 values, each step in float64 and rounded once. */
import type {
  DegreeList,
  FitPlan,
  LikenessRules,
  PlannedBounds,
  PlannedExample,
  PlannedFact,
  PlannedLikeness,
  PlannedRequest,
} from '#synoptic/native/addon/rank-plan.js'
import type { RowFacts } from '#synoptic/data/catalogue/row-facts.js'

type Values = Float32Array

/** Rows with a stem, and what it adds to the bm25 of each, in 1024ths. */
interface Posting {
  readonly rows: Uint32Array
  readonly impacts: Uint16Array
}

export function createOracle(facts: RowFacts, postings: readonly Posting[]) {
  const { rowCount, years, episodes, minutes, popularity, scores, franchises, isMain } = facts
  const rowsOf = (rows: DegreeList['rows']) =>
    typeof rows === 'number' ? facts.rowsOf(rows) : rows
  const each = (of: (row: number) => number): Values =>
    Float32Array.from({ length: rowCount }, (_, row) => of(row))
  const entries = ({ rows, degree }: DegreeList): [row: number, degree: number][] =>
    Array.from(rowsOf(rows), (row, at) => {
      if (typeof degree === 'number') return [row, degree]
      return [row, degree[typeof rows === 'number' ? (facts.weightsOf(rows)[at] ?? 0) : 0] ?? 0]
    })

  const lengthDegree = (length: number, { min, max }: PlannedBounds): number =>
    Number(length > 0 && length >= min && length <= max)

  function degreesOf(fact: PlannedFact): Values {
    const degrees = new Float32Array(rowCount)
    const [sums, met] = [new Float32Array(rowCount), new Uint8Array(rowCount)]
    const lists = 'lists' in fact ? fact.lists.flatMap(entries) : []
    switch (fact.kind) {
      case 'listed':
        for (const [row, degree] of lists) degrees[row] = Math.max(degrees[row] ?? 0, degree)
        return degrees
      case 'years':
        return each((row) => {
          const year = years[row] ?? 0
          const away = Math.max(0, fact.from - year, year - fact.to)
          if (year === 0) return 0
          return fact.from === fact.to ? (fact.near[away] ?? 0) : Number(away === 0)
        })
      case 'ramp': {
        const column = fact.column === 'score' ? scores : popularity
        return each((row) => {
          const share = ((column[row] ?? NaN) - fact.low) / (fact.high - fact.low)
          const value = Math.min(1, Math.max(0, share))
          return Number.isNaN(share) ? 0 : fact.isInverted ? 1 - value : value
        })
      }
      case 'any':
        for (const [row, degree] of lists) {
          degrees[row] = Math.max(degrees[row] ?? 0, degree)
          sums[row] = (sums[row] ?? 0) + degree
        }
        if (fact.count < fact.enough) return degrees
        return each((row) => {
          const [best = 0, share] = [degrees[row], Math.min(1, (sums[row] ?? 0) / fact.enough)]
          return best === 0 ? 0 : fact.bestShare * best + (1 - fact.bestShare) * share
        })
      case 'all':
        for (const [row, degree] of lists) {
          degrees[row] = (degrees[row] ?? 0) + degree / fact.count
          met[row] = (met[row] ?? 0) + 1
        }
        return each((row) => (degrees[row] ?? 0) * Math.sqrt((met[row] ?? 0) / fact.count))
      case 'length': {
        const columns = { ...facts, episodeMinutes: minutes }
        const whole = (row: number) => (minutes[row] ?? 0) * (episodes[row] ?? 0)
        const films = new Set(rowsOf(fact.films))
        const continued = new Set(Array.from(rowsOf(fact.sequels), (row) => franchises[row]))
        continued.delete(-1)
        return each((row) => {
          const own = fact.unit === 'minutes' ? whole(row) : (columns[fact.unit][row] ?? 0)
          const isLeftOut = fact.isOfSeries && episodes[row] === 1
          const degree = films.has(row)
            ? fact.filmBounds && lengthDegree(whole(row), fact.filmBounds)
            : isLeftOut
              ? 0
              : lengthDegree(own, fact.bounds)
          const rounded = Math.fround(degree ?? 0)
          return continued.has(franchises[row]) ? rounded * fact.continuedShare : rounded
        })
      }
    }
  }

  const best = (all: readonly Values[]): Values =>
    each((row) => Math.max(...all.map((degrees) => degrees[row] ?? 0)))

  interface Counted extends PlannedRequest {
    readonly weight: number
    readonly degrees: Values
  }

  function counted(request: PlannedRequest, { requestRules: rules }: FitPlan): Counted {
    const groups = request.anyOf.map(({ facts: own }) => best(own.map(degreesOf)))
    const [first = each(() => 0)] = groups
    const [{ weight, countsByRarity } = { weight: 0, countsByRarity: false }] = request.anyOf
    const share = first.reduce((sum, degree) => sum + degree, 0) / rowCount
    const rarity = share > 0 ? Math.log(share) / Math.log(rules.usualShare) : weight
    const byRarity = Math.max(rules.leastWeight, rarity)
    return { ...request, degrees: best(groups), weight: countsByRarity ? byRarity : weight }
  }

  function joined(all: readonly Counted[]): readonly Counted[] {
    const groups = [...new Set(all.map(({ group }) => group))].filter((group) => group > 0)
    const ofGroup = groups.flatMap((group): Counted[] => {
      const own = all.filter((one) => one.group === group)
      const confidence = Math.max(...own.map((one) => one.confidence))
      const sure = own.filter((one) => !one.surestOnly || one.confidence === confidence)
      const best = each((row) => Math.max(...sure.map(({ degrees }) => degrees[row] ?? 0)))
      return sure.slice(0, 1).map((first) => ({ ...first, confidence, degrees: best }))
    })
    return [...all.filter(({ group }) => group === 0), ...ofGroup]
  }

  const sumOf = (all: readonly Counted[]) =>
    all.reduce((sum, { weight, confidence }) => sum + weight * confidence, 0)

  function fulfilled(all: readonly Counted[], { requestRules: rules }: FitPlan): Values {
    const sums = new Float32Array(rowCount)
    const met = new Float32Array(rowCount)
    const total = sumOf(all)
    for (const { degrees, weight, confidence } of all) {
      degrees.forEach((degree, row) => {
        if (degree === 0) return
        sums[row] = (sums[row] ?? 0) + ((weight * confidence) / total) * degree
        met[row] = (met[row] ?? 0) + weight
      })
    }
    const most = all.reduce((sum, { weight }) => sum + weight, 0)
    return each((row) => {
      const kept = met[row] ?? 0
      const sum = sums[row] ?? 0
      return sum !== 0 && kept < most - rules.rounding ? sum * Math.sqrt(kept / most) : sum
    })
  }

  function traitLikeness({ row, ignored }: PlannedExample): Values {
    const { traitsOf, rowsOf, weightsOf, kindOf, norms } = facts.traits
    const vector = [...traitsOf(row)]
      .filter((trait) => !ignored.includes(trait))
      .map((trait) => {
        const weight = weightsOf(trait)[rowsOf(trait).indexOf(row)] ?? 0
        return { trait, value: weight / (norms[row] ?? 1) }
      })
    const length = Math.sqrt(vector.reduce((sum, { value }) => sum + value * value, 0))
    const sums = new Float32Array(rowCount)
    const saysMuch = (trait: number) => ['tag', 'genre'].includes(kindOf(trait))
    for (const onlyAlike of [false, true]) {
      for (const { trait, value } of vector.filter(({ trait }) => saysMuch(trait) !== onlyAlike)) {
        rowsOf(trait).forEach((other, at) => {
          const sum = sums[other] ?? 0
          if (onlyAlike && sum === 0) return
          sums[other] = sum + (weightsOf(trait)[at] ?? 0) * (value / length)
        })
      }
    }
    return each((row) => (sums[row] === 0 ? 0 : (sums[row] ?? 0) / (norms[row] ?? 1)))
  }

  function recommendedTo(franchise: number): Values {
    const { ends, franchises: to, degrees, back, norms } = facts.recommended
    const found = new Float32Array(ends.length)
    const positions = (of: number) => {
      const begin = ends[of - 1] ?? 0
      return Array.from({ length: (ends[of] ?? begin) - begin }, (_, at) => begin + at)
    }
    if (franchise < 0 || positions(franchise).length === 0) return found
    for (const own of positions(franchise)) {
      for (const at of positions(to[own] ?? 0)) {
        const other = to[at] ?? 0
        found[other] = (found[other] ?? 0) + (degrees[own] ?? 0) * (back[at] ?? 0)
      }
    }
    found.forEach((sum, other) => {
      if (sum > 0) found[other] = sum / ((norms[franchise] ?? 1) * (norms[other] ?? 1))
    })
    for (const own of positions(franchise)) {
      const [other = 0, direct = 0] = [to[own], degrees[own]]
      found[other] = direct + (1 - direct) * (found[other] ?? 0)
    }
    found[franchise] = 0
    return found
  }

  function likenessTo(rules: LikenessRules, example: PlannedExample): Values {
    const traits = traitLikeness(example)
    const recommended = recommendedTo(franchises[example.row] ?? -1)
    const { rows, cosines } = example.cosines ?? { rows: [], cosines: [] }
    const cosineOf = new Map(Array.from(rows, (row, at) => [row, cosines[at] ?? 0]))
    return each((row) => {
      const liked = example.recommendedCount * (recommended[franchises[row] ?? -1] ?? 0)
      const text = rules.textShare * (cosineOf.get(row) ?? 0)
      const own = (1 - rules.textShare) * (traits[row] ?? 0) + text
      const alike = own * (1 + rules.recommendedShare * liked) + rules.recommendedWeight * liked
      if (alike === 0) return traits[row] ?? 0
      const [year = 0, known = NaN] = [years[row], popularity[row]]
      const apart = Math.min(Math.abs(example.year - year), rules.eraYears)
      const near = example.year === 0 || year === 0 ? 0 : 1 - apart / rules.eraYears
      const fame = Number.isNaN(known) ? 0 : Math.min(known, rules.maxPopularity)
      return alike + rules.eraWeight * near + rules.popularityWeight * fame
    })
  }

  function likenessToAll(rules: LikenessRules, alike: PlannedLikeness): Values {
    const sums = new Float32Array(rowCount)
    const add = (likeness: Values, share: number) =>
      likeness.forEach((value, row) => {
        const own = isMain[row] === 1 ? share : share * rules.otherShare
        if (value > 0) sums[row] = (sums[row] ?? 0) + value * own
      })
    const { examples, leastShare, traitsShare } = alike
    const all = examples.map((one) =>
      traitsShare > 0 ? traitLikeness(one) : likenessTo(rules, one),
    )
    for (const one of all) add(one, traitsShare > 0 ? traitsShare : (1 - leastShare) / all.length)
    if (leastShare > 0 && all.length > 0)
      add(
        each((row) => Math.min(...all.map((likeness) => likeness[row] ?? 0))),
        leastShare,
      )
    for (const row of alike.named) sums[row] = alike.namedValue
    return sums
  }

  function bm25(stems: Uint32Array): Values {
    const sums = new Float32Array(rowCount)
    for (const stem of stems) {
      const { rows, impacts } = postings[stem] ?? { rows: [], impacts: [] }
      rows.forEach((row, at) => (sums[row] = (sums[row] ?? 0) + (impacts[at] ?? 0)))
    }
    return sums.map((sum) => sum / 1024)
  }

  /** The features of every row: see ChosenRows. */
  function features(plan: FitPlan, stems: Uint32Array): { features: Values; known: number } {
    const all = plan.requests.map((request) => counted(request, plan))
    const known = joined(all.filter(({ degrees }) => degrees.some((degree) => degree > 0)))
    const requested = fulfilled(known, plan)
    const broken = new Float32Array(rowCount)
    for (const { fact, confidence } of plan.exclusions) {
      degreesOf(fact).forEach((degree, row) => {
        broken[row] = Math.max(broken[row] ?? 0, degree * confidence)
      })
    }
    likenessToAll(plan.likenessRules, plan.unlike).forEach((value, row) => {
      if (plan.unlike.examples.length > 0)
        broken[row] = Math.min(1, Math.max(broken[row] ?? 0, value))
    })
    for (const row of plan.unwanted) broken[row] = 1
    const titles = new Float32Array(rowCount)
    for (const { row, confidence } of plan.titles)
      titles[row] = Math.max(titles[row] ?? 0, confidence)
    const alike = likenessToAll(plan.likenessRules, plan.alike)
    const fit = [titles, requested, broken, alike, bm25(stems)]
    const columns = [...fit, ...all.map(({ degrees }) => degrees)]
    return {
      features: Float32Array.from(columns.flatMap((column) => [...column])),
      known: all.length === 0 ? 1 : sumOf(known) / sumOf(joined(all)),
    }
  }

  return { features, bm25, likenessTo }
}
