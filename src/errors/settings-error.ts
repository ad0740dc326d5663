/** Settings that cannot be used: every problem at once, so that one start-up tells all. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}
