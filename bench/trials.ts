import * as importing from './import.js'
import type { Trial } from './trial.js'

/** In the order in which they run. */
export const trials: readonly Trial[] = [importing.trial]
