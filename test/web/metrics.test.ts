/** What the operators' view reads from the metrics. */
import { describe, expect, it } from 'vitest'
import { quantile, readSamples, sumOf, valuesOf } from '../../web/lib/metrics.js'
import { bytes, ratio, seconds } from '../../web/status/numbers.js'

const histogram = (name: string, counts: Readonly<Record<string, number>>, labels = '') =>
  readSamples(
    Object.entries(counts)
      .map(([le, count]) => `${name}_bucket{le="${le}"${labels}} ${count}`)
      .join('\n'),
  )
const none = { before: [] }

describe('readSamples', () => {
  it('reads names, labels and values, and leaves the rest out', () => {
    const text = [
      '# HELP a_total Nothing.',
      'a_total 3',
      'b{route="/x",note="a \\"b\\" \\\\ \\n{}, c=1"} 0.5',
      'c{le="+Inf"} +Inf',
      'no sample at all',
      '',
    ].join('\n')
    expect(readSamples(text)).toEqual([
      { name: 'a_total', labels: {}, value: 3 },
      { name: 'b', labels: { route: '/x', note: 'a "b" \\ \n{}, c=1' }, value: 0.5 },
      { name: 'c', labels: { le: '+Inf' }, value: Infinity },
    ])
  })
})

describe('sumOf and valuesOf', () => {
  const samples = readSamples('a{x="1",y="1"} 2\na{x="1",y="2"} 3\na{x="2",y="1"} 5\nb 7')

  it('add up what has the labels', () => {
    expect(sumOf(samples, 'a')).toBe(10)
    expect(sumOf(samples, 'a', { x: '1' })).toBe(5)
    expect(sumOf(samples, 'a', { x: '3' })).toBe(0)
    expect(sumOf(samples, 'c')).toBe(0)
    expect(valuesOf(samples, 'a', 'x')).toEqual(['1', '2'])
  })
})

describe('quantile', () => {
  const now = histogram('t', { '0.1': 50, '0.2': 90, '1': 100, '+Inf': 100 })

  it.each([
    [0.25, 0.05],
    [0.5, 0.1],
    [0.9, 0.2],
    [0.95, 0.6],
    [1, 1],
  ])('of %d is %d', (share, expected) => {
    expect(quantile(share, { ...none, now }, 't')).toBeCloseTo(expected)
  })

  it('counts what came since the earlier reading', () => {
    const before = histogram('t', { '0.1': 50, '0.2': 50, '1': 50, '+Inf': 50 })
    expect(quantile(0.5, { before, now }, 't')).toBeCloseTo(0.1625)
  })

  it('is not known without an observation, and not negative after a restart', () => {
    expect(quantile(0.5, { ...none, now: [] }, 't')).toBeUndefined()
    expect(quantile(0.5, { before: now, now }, 't')).toBeUndefined()
    const restarted = histogram('t', { '0.1': 1, '0.2': 1, '1': 1, '+Inf': 1 })
    expect(quantile(0.5, { before: now, now: restarted }, 't')).toBeUndefined()
  })

  it('is the highest bound where all is beyond it', () => {
    expect(quantile(0.5, { ...none, now: histogram('t', { '1': 0, '+Inf': 4 }) }, 't')).toBe(1)
  })

  it('adds up the histograms of several labels', () => {
    const two = [
      ...histogram('t', { '1': 10, '2': 10, '+Inf': 10 }, ',route="/a"'),
      ...histogram('t', { '1': 0, '2': 10, '+Inf': 10 }, ',route="/b"'),
    ]
    expect(quantile(0.5, { ...none, now: two }, 't')).toBe(1)
    expect(quantile(0.5, { ...none, now: two }, 't', { route: '/b' })).toBe(1.5)
  })
})

describe('numbers', () => {
  it.each([
    [seconds(undefined), '–'],
    [seconds(0.00012), '120 µs'],
    [seconds(0.01234), '12.3 ms'],
    [seconds(2.5), '2.5 s'],
    [bytes(0), '0 B'],
    [bytes(1536), '1.5 KiB'],
    [bytes(3 * 2 ** 40), '3 TiB'],
    [ratio(1, 3), '33 %'],
    [ratio(0, 0), '–'],
  ])('%s', (shown, expected) => {
    expect(shown).toBe(expected)
  })
})
