// First step of every npm script: the packages of package-lock.json, and a dist/host.cjs as new as src/.
// Plain Node without dependencies, since it runs before there are any. Says nothing and takes no lock when nothing is to be done.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const OLDEST_NODE = [20, 19]
/** `npm ci` on a cold cache and a slow line; whoever waits longer than this is told which file to look at. */
const LOCK_PATIENCE_MS = 10 * 60_000
const LOCK_POLL_MS = 100

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const inRoot = (...parts) => path.join(root, ...parts)
const lockFile = inRoot('.cache', 'prepare.lock')

const problem = await prepare()
if (problem) {
  process.stderr.write(`${problem}\n`)
  process.exitCode = 1
}

/** Returns what went wrong, or undefined. */
async function prepare() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    return `claudecode-node needs Node ${OLDEST_NODE.join('.')} or newer, but ${process.execPath} is ${process.versions.node}.`
  }
  if (packagesAreInstalled() && bundleIsFresh()) return undefined

  const release = await takeLock()
  if (!release)
    return `Another run of ${inRoot('scripts', 'prepare.mjs')} seems stuck; if none is running, remove ${lockFile}.`
  try {
    // Asked again under the lock: the run that held it has most likely done the work.
    return (packagesAreInstalled() ? undefined : installPackages()) ?? (bundleIsFresh() ? undefined : buildBundle())
  } finally {
    release()
  }
}

/**
 * Compares what package-lock.json asks for with npm's own record of what it has put into node_modules. Times of files would not
 * do: a checkout makes the lock file newer although nothing in it changed.
 */
function packagesAreInstalled() {
  const wanted = readPackages(inRoot('package-lock.json'))
  const installed = readPackages(inRoot('node_modules', '.package-lock.json'))
  if (!wanted || !installed) return false
  return Object.entries(wanted).every(([where, entry]) => {
    if (where === '') return true
    const found = installed[where]
    // Packages for another platform are in the lock file only.
    if (!found) return entry.optional === true
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

function readPackages(file) {
  const text = readIfThere(file)
  return text === undefined ? undefined : JSON.parse(text).packages
}

function installPackages() {
  process.stderr.write('Installing the packages of package-lock.json (npm ci)…\n')
  const failure = run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  const isOffline = /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT/.test(failure ?? '')
  return isOffline
    ? `${failure}\nThe packages come from npm's registry, once: connect to the network, and try again.`
    : failure
}

function bundleIsFresh() {
  const bundle = fs.statSync(inRoot('dist', 'host.cjs'), { throwIfNoEntry: false })
  if (!bundle) return false
  const sources = ['src', 'scripts/build.ts', 'scripts/build', 'package.json', 'package-lock.json']
  return sources.every(source => newestChange(inRoot(source)) <= bundle.mtimeMs)
}

/** Folders count too: their time changes when a file in them goes away. */
function newestChange(file) {
  const stats = fs.statSync(file, { throwIfNoEntry: false })
  if (!stats) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...fs.readdirSync(file).map(name => newestChange(path.join(file, name))))
}

function buildBundle() {
  const started = new Date()
  const failure = run(process.execPath, ['--import', 'tsx', inRoot('scripts', 'build.ts')])
  // As old as the sources that were read: what was saved during the build is newer, and is built the next time.
  if (!failure) fs.utimesSync(inRoot('dist', 'host.cjs'), started, started)
  return failure
}

/** Quiet unless it fails. */
function run(program, args) {
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    // npm is a .cmd file there, which only a shell can start.
    shell: process.platform === 'win32' && program === 'npm',
  })
  if (status === 0) return undefined
  const reason = error ? error.message : signal ? `was ended by ${signal}` : `exited with ${status}`
  return `${stdout ?? ''}${stderr ?? ''}\`${[program, ...args].join(' ')}\` failed: ${reason}.`
}

/** Waits for a run that is already at it. Returns how to give the lock back, or undefined when it never came free. */
async function takeLock() {
  fs.mkdirSync(path.dirname(lockFile), { recursive: true })
  const ticket = `${lockFile}.${process.pid}`
  fs.writeFileSync(ticket, String(process.pid))
  try {
    const deadline = Date.now() + LOCK_PATIENCE_MS
    while (Date.now() < deadline) {
      if (linked(ticket, lockFile)) return () => fs.rmSync(lockFile, { force: true })
      if (!removeDeadLock()) await pause(LOCK_POLL_MS)
    }
    return undefined
  } finally {
    fs.rmSync(ticket)
  }
}

/** A link and not a file written in place, so that nobody ever sees a lock without its owner's number in it. */
function linked(from, to) {
  try {
    fs.linkSync(from, to)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

/** A killed run leaves its lock. Returns true when that was so and the lock is gone. */
function removeDeadLock() {
  const owner = readIfThere(lockFile)
  if (owner === undefined) return true
  if (isAlive(Number(owner))) return false
  const aside = `${lockFile}.${process.pid}.dead`
  try {
    fs.renameSync(lockFile, aside)
  } catch (error) {
    if (error.code === 'ENOENT') return true
    throw error
  }
  // Another waiter may have been faster, and what was moved aside is its fresh lock: it goes back.
  if (readIfThere(aside) !== owner) linked(aside, lockFile)
  fs.rmSync(aside)
  return true
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}
