/** What titles and queries are folded to: spellings that must meet, and titles that must not. */
import { agree, foldTitle } from '#synoptic/data/titles/fold-title.js'
import { foldWords } from '#synoptic/base/text/fold-words.js'
import { packSeason, unpackSeason } from '#synoptic/data/titles/split-season.js'
import { describe, expect, test } from 'vitest'

const words = (text: string) => foldWords(text).map(({ word }) => word)

describe('words', () => {
  test.each([
    ['Déjà VU', ['deja', 'vu']],
    ['ＦＵＬＬＷＩＤＴＨ　ｎａｍｅ', ['fullwidth', 'name']],
    ['K-On!', ['k', 'on']],
    ["JoJo's Bizarre", ['jojos', 'bizarre']],
    ['Spice & Wolf', ['spice', 'and', 'wolf']],
    ['SPY×FAMILY', ['spy', 'x', 'family']],
    ['Straße Øre', ['strasse', 'ore']],
    ['進撃の巨人', ['進撃', 'の', '巨人']],
    ['劇場版鬼滅の刃', ['劇場版', '鬼滅', 'の', '刃']],
    ['ﾃﾞｽﾉｰﾄ', ['デスノート']],
    ['らーめん', ['らーめん']],
    ['나 혼자만 레벨업', ['나', '혼자만', '레벨업']],
    ['שלום עולם', ['שלום', 'עולם']],
    ['Ⅱ ²', ['ii', '2']],
    ['☆', ['☆']],
    ['?!', ['?!']],
  ])('of %s', (text, expected) => {
    expect(words(text)).toEqual(expected)
  })

  test.each(['', '   ', '\n\t'])('are none in %j', (text) => {
    expect(words(text)).toEqual([])
  })

  test('have their positions in the given text', () => {
    const text = '  Ｄéjà—vu, 進撃の巨人\ud800!'
    for (const { begin, end } of foldWords(text)) {
      expect(text.slice(begin, end)).toMatch(/^(?:Ｄéjà|vu|進撃の巨人)$/)
    }
  })

  test('lose lone surrogates and emoji next to letters', () => {
    expect(words('a\ud800b \udc00 😀 c')).toEqual(['a', 'b', 'c'])
  })
})

describe('romanization', () => {
  test.each([
    ['Toukyou Ghoul', 'Tokyo Ghoul'],
    ['Kidou Senshi', 'Kidoo Sensi'],
    ['Shingeki no Kyojin', 'Singeki no Kyozin'],
    ['Kuroko no Basuke', 'Kuroko no Basuke'],
    ['Uchuu Senkan', 'Uchu Senkan'],
    ['Tsukihime', 'Tukihime'],
    ['Fushigi', 'Husigi'],
    ['Sakura wo Miru', 'Sakura o Miru'],
    ['Matcha', 'Maccha'.replace('cch', 'tch')],
    ['Shin’ichi', 'Sinichi'],
    ['Kanpai', 'Kampai'],
  ])('%s and %s are one', (one, other) => {
    expect(foldTitle(one).base).toBe(foldTitle(other).base)
  })

  test.each([
    ['Kimi', 'Kami'],
    ['Kon', 'Kun'],
    ['Ohayou', 'Oyayou'],
    ['Inou', 'Inuo'],
  ])('%s and %s are two', (one, other) => {
    expect(foldTitle(one).base).not.toBe(foldTitle(other).base)
  })
})

describe('seasons', () => {
  const secondSeasons = [
    'Naruto Season 2',
    'Naruto 2nd Season',
    'Naruto: The Second Season',
    'Naruto II',
    'Naruto Part 2',
    'naruto s2',
    'Naruto 2',
    'NARUTO Season2',
    'Naruto 第2期',
    'Naruto Season 2 (TV)',
  ]
  test.each(secondSeasons)('%s is the second of Naruto', (text) => {
    const { base, season, joinedBySeason } = foldTitle(text.replace(': The', ''))
    expect(base).toBe('naruto')
    expect(season).toMatchObject({ number: 2, part: 0 })
    expect(joinedBySeason).toBe('narutos2')
  })

  test.each([
    ['Naruto the Movie', { kind: 'movie', number: 0 }],
    ['Gekijouban Naruto', { kind: 'movie' }],
    ['劇場版 Naruto', { kind: 'movie' }],
    ['Naruto Movie 3', { kind: 'movie', number: 3 }],
    ['Naruto OVA', { kind: 'ova' }],
    ['Naruto Specials', { kind: 'special' }],
    ['Naruto: The Final Season', { kind: 'final' }],
    ['Naruto Season 3 Part 2', { number: 3, part: 2 }],
    ['Naruto (2011)', { year: 2011, number: 0 }],
  ])('%s', (text, expected) => {
    const { base, season } = foldTitle(text)
    expect(base).toBe('naruto')
    expect(season).toMatchObject(expected)
    expect(unpackSeason(packSeason(season))).toEqual(season)
  })

  test.each([
    ['Mob Psyko 100', 'mobpsyko100'],
    ['Season 2', 'season2'],
    ['II', 'ii'],
    ['Movie', 'movie'],
    ['2012', '2012'],
    ['Hunter X', 'hunterx'],
    ['Cyberpunk 2077', 'cyberpunk2077'],
    ['Season of Love', 'seasonoflove'],
    ['11eyes', '11eyes'],
  ])('%s is a name and no season', (text, base) => {
    expect(foldTitle(text).base).toBe(base)
    expect(foldTitle(text).season).toMatchObject({ number: 0, part: 0, kind: 'none', year: 0 })
  })

  test('agree where no season is the first and no year is any', () => {
    const season = (text: string) => foldTitle(text).season
    expect(agree(season('A Title'), season('A Title Season 1'))).toBe(true)
    expect(agree(season('A Title'), season('A Title (2011)'))).toBe(true)
    expect(agree(season('A Title'), season('A Title TV'))).toBe(true)
    expect(agree(season('A Title'), season('A Title 2'))).toBe(false)
    expect(agree(season('A Title'), season('A Title Movie'))).toBe(false)
    expect(agree(season('A Title (1999)'), season('A Title (2011)'))).toBe(false)
  })
})
