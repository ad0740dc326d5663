/** The closed vocabulary of tags. */
import { readFileSync } from 'node:fs'
import { distance, fold } from './text.js'

export const families = [
  'cast',
  'content',
  'form',
  'look',
  'relationship',
  'setting',
  'theme',
  'tone',
]

export function readVocabulary(file) {
  const list = JSON.parse(readFileSync(file, 'utf8'))
  return { list, bySlug: new Map(list.map((tag) => [tag.tag, tag])) }
}

/** Up to three slugs that an unknown one may mean: by synonym, by shared words, by spelling. */
export function nearest(vocabulary, slug) {
  const wanted = fold(slug)
  const parts = new Set(wanted.split(' '))
  return vocabulary.list
    .map((tag) => ({ slug: tag.tag, far: howFar(tag, wanted, parts) }))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, 3)
    .map((candidate) => candidate.slug)
}

function howFar(tag, wanted, parts) {
  const names = [tag.tag, tag.name, ...tag.synonyms].map(fold)
  if (names.includes(wanted)) return 0
  return Math.min(
    ...names.map((name, at) => {
      const own = name.split(' ')
      const common = own.filter((part) => part.length > 2 && parts.has(part)).length
      const spelling =
        wanted.length < 5 ? 1 : distance(name, wanted) / Math.max(name.length, wanted.length)
      return Math.min(spelling, 1 - common / Math.max(own.length, parts.size)) + (at > 1 ? 0.05 : 0)
    }),
  )
}

/** What is wrong with the weights of one work. */
export function faultsOfTags(vocabulary, tags) {
  const slugs = Object.keys(tags)
  const faults = []
  for (const slug of slugs)
    if (!vocabulary.bySlug.has(slug))
      faults.push(`no tag ${slug}; nearest: ${nearest(vocabulary, slug).join(', ')}`)
  if (slugs.length < 8 || slugs.length > 20) faults.push(`${slugs.length} tags; 8 to 20 are wanted`)
  const heavy = slugs.filter((slug) => tags[slug] === 3).length
  if (heavy > 5) faults.push(`${heavy} tags of weight 3; at most 5`)
  if (heavy === 0) faults.push('no tag of weight 3; what is the work about?')
  if (!slugs.some((slug) => vocabulary.bySlug.get(slug)?.family === 'tone'))
    faults.push('no tag of tone')
  return faults
}

const slug = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** What is wrong with the vocabulary itself. */
export function faultsOfVocabulary({ list }) {
  const faults = []
  const owners = new Map()
  for (const [at, tag] of list.entries()) {
    const say = (fault) => faults.push(`tags.json ${tag.tag}: ${fault}`)
    if (!slug.test(tag.tag)) say('not in kebab-case')
    if (!families.includes(tag.family)) say(`no family ${tag.family}`)
    if (!/^\S.*\.$/.test(tag.meaning ?? '')) say('the meaning is no sentence')
    const count = tag.synonyms?.length ?? 0
    if (count < 2 || count > 10) say(`${count} synonyms; 2 to 10 are wanted`)
    const before = list[at - 1]
    if (before && sortKey(before) > sortKey(tag)) say('out of order: by family, then by name')
    for (const name of new Set([tag.tag, tag.name, ...(tag.synonyms ?? [])].map(spoken))) {
      const owner = owners.get(name)
      if (owner !== undefined) say(`"${name}" is also a name of ${owner}`)
      owners.set(name, tag.tag)
    }
  }
  return faults
}

/** Unlike folded words, with digits: 1950s and 1960s differ. */
function spoken(name) {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}

function sortKey({ family, name }) {
  return `${family} ${name.toLowerCase()}`
}
