// What a connection may cost. Each limit has a reason; a test shows each of them at work.

const second = 1000
const mebibyte = 1024 * 1024

/** All headers of a request, in bytes. The CLI sends about 400. More is answered with 431. */
export const maxHeaderBytes = 16 * 1024

/** From the TCP connection to the upgrade, in ms. On the loopback it takes a few; whoever needs longer sends nothing. */
export const handshakeMs = 10 * second

/** Sockets of all kinds. Most of them have shown no token yet, so others must not be able to use up our file descriptors. */
export const maxSockets = 256

/** WebSocket clients at once. More is answered with 503. A person runs a few. */
export const maxClients = 64

/** One message, in bytes, fragments together. `openDiff` carries a whole file. More is closed with 1009. */
export const maxMessageBytes = 100 * mebibyte

/** Messages below this many characters are parsed as they are: their objects can't take much memory. */
export const simpleMessageCharacters = mebibyte

/**
 * Brackets, braces and commas outside of strings, in a message above that. 100 MiB of `[],[],[],` take gigabytes and a
 * minute to parse, during which nobody else is served; what the protocol sends has less than a hundred.
 */
export const maxStructure = 100_000

/** Messages in one batch (JSON-RPC 2.0, section 6). */
export const maxBatch = 100

/** Requests of one client that wait for their answer. A CLI has a handful of diffs open. */
export const maxRunningRequests = 1000

/** What a client has not read yet, in bytes, before the next message. A client that stopped reading is cut off. */
export const maxUnreadBytes = 64 * mebibyte

/** Silence before `initialize`, in ms. The CLI says it at once. */
export const initializeMs = 60 * second

/**
 * From the answer to `tools/list` until the client listens, in ms. The CLI 2.1.332 drops every notification that comes
 * before it has taken in that answer: 10 ms after it they were lost, 50 ms after it they arrived, and on a very busy machine
 * some were lost even after 250 ms. It is starting then, so nobody notices a longer wait.
 */
export const listeningMs = 900

/** The same from `notifications/initialized`, in ms, for a client that never asks for the tools. */
export const unlistedMs = 1 * second

/** From one ping to the next, in ms. */
export const pingMs = 30 * second

/** Without any whole message, ping or pong for this long, in ms, a client is dead. Half a message is no sign of life. */
export const deadMs = 60 * second

/** A ping that is this many times too late means that the machine, or this process, was asleep. */
export const sleepFactor = 1.5

/** For the other side to answer a close, in ms. */
export const closeMs = 2 * second

/** The same when the server ends, in ms: Neovim waits 400 ms for the whole host. */
export const shutdownMs = 150

/** How long a host that was started again waits for the port of the one before it, in ms, and how often it tries. */
export const preferredPortMs = 2 * second
export const preferredPortPauseMs = 100
