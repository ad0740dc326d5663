/** Which routes the two ports of a server have, where `--status-port` sets a second one. */
import { routeGroups } from '../../base/config/route-groups.js'
import type { ServerSettings } from '../../base/config/settings.js'
import { isGroupEnabled } from '../http/route.js'

/** The operators' view is on one port only; what it links to is on both. */
const ofStatus: readonly string[] = ['status', 'health', 'metrics']

export function splitRoutes(settings: ServerSettings): {
  readonly main: ServerSettings
  readonly status: ServerSettings
} {
  const enabled = routeGroups.filter((group) => isGroupEnabled(settings, group))
  const withGroups = (groups: readonly string[]) => ({ ...settings, enableRoutes: [...groups] })
  return {
    main:
      settings.statusPort === 'none'
        ? settings
        : withGroups(enabled.filter((group) => group !== 'status')),
    status: {
      ...withGroups(enabled.filter((group) => ofStatus.includes(group))),
      host: settings.statusHost,
    },
  }
}
