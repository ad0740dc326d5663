/**
 * Numbers that no fit of weights computes: data/query/constants.json. tools/fit-constants measures what each brings, and
 * tries others. A share, a degree and a similarity are 0 to 1.
 */
import { readFileSync } from 'node:fs'
import * as v from 'valibot'

const number = v.pipe(v.number(), v.finite())
const share = v.pipe(number, v.minValue(0), v.maxValue(1))

const constantsFile = v.strictObject({
  /** How similar a text is to a title: an exact one has 1. */
  titles: v.strictObject({
    /** As an exact one, but for marks: "Gintama" is nearer to "Gintama" than to "Gintama'". */
    otherPunctuation: share,
    /** In another romanization, or with the season written otherwise. */
    otherSpelling: share,
    /** `Demon Slayer` of `Demon Slayer: Kimetsu no Yaiba` is as good as the whole. */
    head: share,
    /** From here on it is the title in another spelling. */
    same: share,
    /** Where words that no title has are read as words of titles, the titles are at most so similar. */
    corrected: share,
    /** From here on parts of a whole title name no other work. */
    sure: share,
    /** `my hero` of a well-known work is surer than its words. */
    half: share,
    /** A part of the title that names it, as `frieren` does; what is nearer is the title with a typo or two. */
    part: share,
    /** From here on it may be the title at all. */
    least: share,
    /** What a title counts of a work that was made in another year than the one that is typed behind it. */
    otherYear: share,
    /** The popularity from which a work is known by less than its title: the best known twentieth. */
    wellKnown: number,
    /** The confidence of a title among other words. */
    amongWords: share,
    /** What a title counts of the others of its franchise, before works that only have the same words. */
    franchise: share,
  }),
  reader: v.strictObject({
    /** Of a type that no work has, words mean something else if they can: `one shot` is a length, too. */
    absent: share,
    /** Of words that no vocabulary knows, behind a refusal. */
    refusedWords: share,
    /** How much of a word is explained by a tag where texts are more precise. */
    narrow: share,
  }),
  /** How the ranker weighs what was read: ranking/weigh-fit. */
  fit: v.strictObject({
    /**
     * Facts weigh by the share of the query that they explain, raised to this power. A scene names a tag or two by chance,
     * as a story of a wolf and a rabbit names `high school`; a query of facts alone means them.
     */
    explainedPower: number,
    /** The text loses less than the share that they explain, by this power of it; fame and main works gain what it loses. */
    textPower: number,
    /**
     * The degree of requested facts at which they neither raise nor lower a work: a work that misses one of three scores
     * less. It counts as the text loses its share, whose score has its own prior, and alike for all works of a query.
     */
    evenFulfilled: share,
    /** Next to a named work, a little of what is requested is nearly enough: it should not be a different work. */
    powerWithWork: number,
    /** A title that is nearly the query counts for much less than one that is: a typo in ten letters has 0.9. */
    titlePower: number,
    /** What the work that suits a person best has more than one that does not suit, in logits, with a text and without. */
    taste: number,
    tasteAlone: number,
    /** What being like a disliked work counts, of what being like a liked one does. */
    disliked: share,
  }),
  /** How alike works are: native/core/rows/likeness.h. */
  likeness: v.strictObject({
    /** Of the cosine of texts next to tags; next to genres alone. */
    text: share,
    textWithoutTags: share,
    /** What the most recommended work gains: this, and this share of its other likeness; so much of both next to requests. */
    recommended: share,
    recommendedShare: share,
    recommendedWithRequests: share,
    /** What works of the same year have more than works that are twenty years apart. */
    era: share,
    /** What an e-fold of popularity adds: who knows a work knows the best known, too. */
    popularity: number,
    /** What works count that do not stand for their franchise: the third season of another work serves nobody. */
    notMain: share,
    /** Of `X meets Y`, so much counts how like a work is to the one that it is less like. */
    least: share,
    /** By tags alone, to a work whose title is the query. */
    titled: share,
  }),
  /** Which rows are candidates although no text of theirs is near. */
  candidates: v.strictObject({
    /**
     * What an e-fold of popularity and what is excluded count next to a request that is wholly fulfilled: as much as the
     * ranker gives them.
     */
    popularity: number,
    broken: number,
    /** How much of the works that are like a named one and of a further request counts, in `X but Y`. */
    request: number,
    /** So nearly a query is the title of a work that it means nothing else, although the search leaves its type out. */
    isTitle: share,
  }),
  /** To which degree a work has a fact. */
  facts: v.strictObject({
    /** A genre, next to a tag of weight 3: genres are given more freely. */
    genre: share,
    /** The year next to a single one, which people remember a little wrong; half of it a year further. */
    nearYear: share,
    /** The best of several genres and tags for a subject; the rest is whether a work has a second of them. */
    best: share,
    /** The length of a season, of a series that has others. */
    continued: share,
  }),
  /** What requests count next to each other. */
  requests: v.strictObject({
    /** A named person, next to all others. */
    person: number,
    /** A mood or a style, next to a subject. */
    manner: number,
    /**
     * A subject counts by ln(share of works) / ln(usual share): its inverse document frequency (Spärck Jones, 1972). One
     * that so many works have, by their degrees, counts as much as another request.
     */
    usualShare: share,
    /** The weight of the commonest. */
    leastWeight: number,
  }),
})

export type Constants = v.InferOutput<typeof constantsFile>

/** @throws v.ValiError where the file has other numbers, or an Error of the file system */
export const readConstants = (file: string | URL): Constants =>
  v.parse(constantsFile, JSON.parse(readFileSync(file, 'utf8')))

const shipped = new URL('../../../data/query/constants.json', import.meta.url)
let known: Constants | undefined

/** Read once. */
export const constants = (): Constants => (known ??= readConstants(shipped))
