import { expect, it } from 'vitest'
import { variableOf } from '#synoptic/base/config/read.js'
import { serverSettings } from '#synoptic/base/config/settings.js'
import { describeUnknownVariables } from '#synoptic/base/config/unknown-variables.js'

const described = (...names: string[]) =>
  describeUnknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])))

it('names the setting that is nearest to an unknown variable', () => {
  expect(described('SYNOPTIC_RATE_LIMT', 'SYNOPTIC_PROT', 'SYNOPTIC_WHATEVER_ELSE')).toEqual([
    'SYNOPTIC_RATE_LIMT: no setting has this name; did you mean SYNOPTIC_RATE_LIMIT?',
    'SYNOPTIC_PROT: no setting has this name; did you mean SYNOPTIC_PORT?',
    'SYNOPTIC_WHATEVER_ELSE: no setting has this name',
  ])
})

it('is silent on settings, on what other parts read, and on the variables of others', () => {
  expect(described(...Object.keys(serverSettings).map(variableOf))).toEqual([])
  const readByParts = ['SYNOPTIC_CONFIG', 'SYNOPTIC_FORCE_KERNEL', 'SYNOPTIC_ADDON_URL']
  const readByTests = ['SYNOPTIC_TEST_DATA', 'SYNOPTIC_BENCH_TEXTS', 'SYNOPTIC_FUZZ_SEED']
  const setByKubernetes = ['SYNOPTIC_SERVICE_HOST', 'SYNOPTIC_PORT_8000_TCP_ADDR']
  expect(described(...readByParts, ...readByTests, ...setByKubernetes, 'PATH')).toEqual([])
})
