// The version of the plugin, in one place: package.json.
import manifest from '../package.json' with { type: 'json' }

export const version: string = manifest.version
