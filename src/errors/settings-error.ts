/** Settings that cannot be used. Lists all problems, so that one start-up shows them all. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}
