// Which paths the user's patterns hide from Claude, by their names alone.
import { posix } from 'node:path'
import ignore, { type Ignore } from 'ignore'

/** What usually holds secrets. These patterns match wherever the file is. */
export const secretPatterns = [
  '.env*',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.ppk',
  '*.gpg',
  '*.kdb',
  '*.kdbx',
  'id_rsa*',
  'id_dsa*',
  'id_ecdsa*',
  'id_ed25519*',
  '.ssh/',
  '.gnupg/',
  '.password-store/',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.htpasswd',
  '.git-credentials',
  '.vault-token',
  '**/.aws/credentials',
  '**/.docker/config.json',
  '**/.kube/config',
] as const

/** What decides which paths are hidden. All folders are absolute. */
export interface IgnoreRules {
  /** As the user wrote them: as in .gitignore, or with `~/` or an absolute path in front. `!` takes one back. */
  patterns: readonly string[]
  /** Whether `secretPatterns` come before them. */
  withSecrets: boolean
  /** The folders of the workspace, by all their names. */
  folders: readonly string[]
  /** The user's home folder, by all its names. */
  homes: readonly string[]
}

/** What some patterns say of a path; undefined when they say nothing. */
type Verdict = 'hidden' | 'shown' | undefined

/**
 * The hidden paths. Case does not matter, since on some disks `.ENV` is `.env`. Where several say something of a path,
 * absolute patterns come before relative ones, and these before `secretPatterns`.
 * @example new IgnoredPaths({ patterns: ['/keys/'], withSecrets: true, folders: ['/p'], homes: [] }).has('/p/keys/a')
 */
export class IgnoredPaths {
  readonly #folders: readonly string[]
  readonly #secrets: Matcher
  readonly #relative: Matcher
  /** Those that match at any depth: for files outside of the workspace. */
  readonly #anywhere: Matcher
  readonly #absolute: Matcher
  /** What was found out, for the same files are asked for again and again. */
  readonly #known = new Map<string, boolean>()

  constructor({ patterns, withSecrets, folders, homes }: IgnoreRules) {
    const escapedHomes = homes.map(escapePattern)
    this.#folders = folders
    this.#secrets = matcher(withSecrets ? secretPatterns : [])
    this.#relative = matcher(patterns.filter(pattern => !isAtHome(pattern)))
    this.#anywhere = matcher(patterns.filter(isAnywhere))
    this.#absolute = matcher(patterns.flatMap(pattern => toAbsolute(pattern, escapedHomes)))
  }

  /** Whether a path is hidden. It is absolute; that of a folder ends in `/`. */
  has(path: string): boolean {
    let isHidden = this.#known.get(path)
    if (isHidden === undefined) {
      isHidden = this.#hides(path)
      this.#known.set(path, isHidden)
    }
    return isHidden
  }

  #hides(path: string): boolean {
    const plain = posix.normalize(path)
    const verdict =
      verdictOf(this.#absolute, plain, '/') ?? this.#relativeVerdict(plain) ?? verdictOf(this.#secrets, plain, '/')
    return verdict === 'hidden'
  }

  #relativeVerdict(path: string): Verdict {
    const folders = this.#folders.filter(folder => isInside(path, folder))
    if (folders.length === 0) return verdictOf(this.#anywhere, path, '/')
    const verdicts = folders.map(folder => verdictOf(this.#relative, path, folder))
    return verdicts.find(verdict => verdict === 'hidden') ?? verdicts.find(verdict => verdict === 'shown')
  }
}

/** Patterns that are read when the first path is asked about, which is after the moment in which Claude waits for us. */
type Matcher = () => Ignore

function matcher(patterns: readonly string[]): Matcher {
  let made: Ignore | undefined
  return () => (made ??= ignore({ ignorecase: true, allowRelativePaths: true }).add(patterns))
}

function verdictOf(patterns: Matcher, path: string, folder: string): Verdict {
  const relative = path.slice(folder === '/' ? 1 : folder.length + 1)
  if (relative === '') return undefined
  const { ignored, unignored } = patterns().test(relative)
  if (ignored) return 'hidden'
  return unignored ? 'shown' : undefined
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder === '/' ? folder : `${folder}/`)
}

function bodyOf(pattern: string): string {
  return pattern.replace(/^!/, '')
}

function isAtHome(pattern: string): boolean {
  return /^~(\/|$)/.test(bodyOf(pattern))
}

/** No `/` but at its end, or any folders in front (gitignore(5): such a pattern matches at any depth). */
function isAnywhere(pattern: string): boolean {
  const body = bodyOf(pattern)
  return !isAtHome(pattern) && (body.startsWith('**/') || !body.replace(/\/\s*$/, '').includes('/'))
}

/** What begins with `/` is both: from the root of the disk, and (in `#relative`, as in .gitignore) of the workspace. */
function toAbsolute(pattern: string, homes: readonly string[]): string[] {
  const body = bodyOf(pattern)
  const sign = pattern.slice(0, pattern.length - body.length)
  if (body.startsWith('/')) return [pattern]
  return isAtHome(pattern) ? homes.map(home => `${sign}${home}${body.slice(1) || '/'}`) : []
}

function escapePattern(path: string): string {
  return path.replace(/[\\*?[\] ]/g, '\\$&')
}
