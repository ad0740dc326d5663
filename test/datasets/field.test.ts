/** The language of mappings: how one value is read. */
import { compileField } from '#synoptic/data/datasets/field.js'
import { describe, expect, test } from 'vitest'

/** What the field `x` of a source becomes. */
function read(x: unknown, changes: object = {}): unknown {
  return compileField({ from: 'x', ...changes })((name) => (name === 'x' ? x : undefined))
}

describe('lists', () => {
  test.each([
    ["['Action', 'Comedy']", ['Action', 'Comedy']],
    ["{'A', \"B's\"}", ['A', "B's"]],
    [String.raw`['It\'s', "a \"b\""]`, ["It's", 'a "b"']],
    ['["Action", "Sci-Fi"]', ['Action', 'Sci-Fi']],
    ['[{"id": 1, "name": "Action"}]', ['Action']],
    ["[{'id': 1, 'name': 'Action'}, {'id': 2, 'name': \"Boys' Love\"}]", ['Action', "Boys' Love"]],
    [String.raw`[{'name': 'It\'s, well'}]`, ["It's, well"]],
    ["{'id': 1, 'name': 'Action'}", ['Action']],
    ["[{'id': 1, 'title': 'Action'}]", []],
    ["{'Re: Zero', 'name: none'}", ['Re: Zero', 'name: none']],
    ["['name', 'of']", ['name', 'of']],
    ['Action|Comedy | Drama|', ['Action', 'Comedy', 'Drama']],
    ["{'Mature Themes,', 'Prostitution'}", ['Mature Themes', 'Prostitution']],
    ['[Action, Comedy]', ['Action', 'Comedy']],
    ['[]', []],
    ['set()', []],
    ['{}', []],
    ['', []],
    ["['A', 'A', '']", ['A']],
    ['Slice of Life, Drama', ['Slice of Life, Drama']],
    [
      ['A', 'B', 3],
      ['A', 'B', '3'],
    ],
    [[null, {}], []],
    [17, []],
    [null, []],
    [undefined, []],
  ])('%j', (value, expected) => {
    expect(read(value, { as: 'list' })).toEqual(expected)
  })

  test('are split by what the mapping says', () => {
    const list = { as: 'list', separator: ', ' }
    expect(read('Slice of Life, Drama', list)).toEqual(['Slice of Life', 'Drama'])
  })
  test('lose members that the mapping drops, and rename others', () => {
    const values = { UNKNOWN: null, SF: 'Sci-Fi' }
    expect(read('SF|UNKNOWN|Drama', { as: 'list', values })).toEqual(['Sci-Fi', 'Drama'])
  })
})

describe('numbers', () => {
  test.each([
    ['25.0', 25],
    ['1,756', 1756],
    [' 7 ', 7],
    ['-3', -3],
    [12, 12],
    ['12.5', null],
    ['1,75', null],
    ['', null],
    ['Unknown', null],
    ['9007199254740993', null],
    [Number.NaN, null],
    [true, null],
    [{}, null],
  ])('integer %j', (value, expected) => expect(read(value, { as: 'integer' })).toBe(expected))

  test.each([
    ['4.305', 4.305],
    ['1e3', 1000],
    ['.', null],
    ['0x10', null],
    ['1e999', null],
    [Number.POSITIVE_INFINITY, null],
  ])('number %j', (value, expected) => expect(read(value, { as: 'number' })).toBe(expected))

  test('are found inside a text', () => {
    const rank = { as: 'integer', match: '#([\\d,]+)' }
    expect(read('Rank #1,756', rank)).toBe(1756)
    expect(read('unranked', rank)).toBeNull()
    expect(read(null, rank)).toBeNull()
    expect(read('37 eps', { as: 'integer', match: '\\d+' })).toBe(37)
  })
})

describe('types', () => {
  test.each([
    ['TV', 'tv'],
    ['TV Short', 'tv_short'],
    ['TV\n(14+ eps)', 'tv'],
    ['LIGHT_NOVEL', 'light_novel'],
    ['One-shot', 'one_shot'],
    ['unknown', null],
    ['(1 ep)', null],
    ['', null],
    [null, null],
  ])('%j', (value, expected) => expect(read(value, { as: 'type' })).toBe(expected))

  test('are renamed after they are read', () => {
    expect(read('Web\n(12 eps)', { as: 'type', values: { web: 'ona' } })).toBe('ona')
    const values = { Serie: 'tv', 'TV Film': 'movie', 'Nicht bekannt': null }
    expect(read('Serie', { as: 'type', values })).toBe('tv')
    expect(read('tv film', { as: 'type', values })).toBe('movie')
    expect(read('Nicht bekannt', { as: 'type', values })).toBeNull()
  })
})

describe('years', () => {
  test.each([
    ['2005.0', 2005],
    [2005, 2005],
    ['4/10/2005', 2005],
    ['2005-10-04', 2005],
    ['Fall 1987', 1987],
    ['None/None/None', null],
    ['12005', null],
    ['05', null],
    [0, null],
    [['2005'], null],
  ])('%j', (value, expected) => expect(read(value, { as: 'year' })).toBe(expected))
})

describe('dates', () => {
  test.each([
    ['2005-10-04', 'ymd', '2005-10-04'],
    ['2005-10-04T09:30:00Z', 'ymd', '2005-10-04'],
    ['4/10/2005', 'dmy', '2005-10-04'],
    ['10/4/2005', 'mdy', '2005-10-04'],
    ['None/10/2005', 'dmy', '2005-10'],
    ['4/None/2005', 'dmy', '2005'],
    ['10/2005', 'dmy', '2005-10'],
    ['2005', 'dmy', '2005'],
    ['2005.0', 'dmy', '2005'],
    ['4/13/2005', 'dmy', '2005'],
    ['None/None/None', 'dmy', null],
    ['4/10/2005', 'ymd', null],
    ['1/2/3/2005', 'dmy', null],
    ['soon', 'dmy', null],
    ['', 'ymd', null],
  ])('%j in the order %s', (value, order, expected) => {
    expect(read(value, { as: 'date', order })).toBe(expected)
  })
})

describe('scores are brought to 0 to 10', () => {
  test.each([
    ['8.71', 10, 8.71],
    [71, 100, 7.1],
    ['4.589', 5, 9.178],
    ['100.0', 100, 10],
    ['0', 10, null],
    ['-3', 10, null],
    ['10.1', 10, null],
    ['UNKNOWN', 10, null],
    ['', 100, null],
    [null, 10, null],
    [Number.NaN, 10, null],
  ])('%j of %d', (value, outOf, expected) => {
    const read = compileField({ from: 'x', outOf }, 'score')
    expect(read(() => value)).toBe(expected)
  })
})

describe('booleans', () => {
  test.each([
    ['True', true],
    ['no', false],
    [false, false],
    ['1', true],
    ['0.0', false],
    ['maybe', null],
    ['', null],
  ])('%j', (value, expected) => expect(read(value, { as: 'boolean' })).toBe(expected))
})

describe('values as they stand', () => {
  test.each([
    ['  two  words ', 'two words'],
    ['Tom &amp; Jerry', 'Tom & Jerry'],
    ['N/A', null],
    ['nan', null],
    ['', null],
    [undefined, null],
    [0, 0],
    [false, false],
    [
      ['a', { b: 1 }],
      ['a', { b: 1 }],
    ],
  ])('%j', (value, expected) => expect(read(value)).toEqual(expected))
})

describe('where a value comes from', () => {
  const row = (name: string) => ({ a: '', b: 'second', c: 'third' })[name]
  test('the first field with a value', () => {
    expect(compileField({ from: ['a', 'missing', 'b', 'c'] })(row)).toBe('second')
    expect(compileField({ from: ['a', 'missing'] })(row)).toBeNull()
    expect(compileField({ from: ['a', 'c'], as: 'list' })(row)).toEqual(['third'])
  })
  test('the mapping itself', () => {
    expect(compileField({ value: 'of the file' })(row)).toBe('of the file')
  })
})
