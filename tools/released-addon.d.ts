export function fetchReleasedAddon(base: string, root: string, file: string): Promise<void>
export function sourcesHash(root: string): string
export function writeRelease(root: string, into: string): void
export function platformName(): string
