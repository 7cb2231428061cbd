// What the hooks of a Claude may cost. Each limit has a reason.

const kibibyte = 1024

/** Of a body this much is kept and read, in bytes. What matters comes in small ones; a tool's output can be huge. */
export const maxKeptBytes = 256 * kibibyte

/** A body that is longer is cut off with 413, in bytes: the CLI reads and writes no files of that size. */
export const maxBodyBytes = 100 * kibibyte * kibibyte

/** From the connection to the end of a request, in ms. On the loopback it takes a few. */
export const requestMs = 10_000

/** Sockets at once. A Claude has one or two. */
export const maxSockets = 128

/** How long Claude waits for our answer, in seconds: longer than a busy moment, shorter than what a user would notice as a hang. */
export const hookTimeoutSeconds = 5

/** How long a question must have been open before the user is told of it, in ms: a diff that asks the same appears meanwhile. */
export const noticeMs = 500

/** How often a conversation is looked at for an interruption, in ms: soon enough for a status line, and one stat() each. */
export const lookMs = 700

/** The newest part of a conversation that is looked at, in bytes. An interruption is a short line at its end. */
export const maxTailBytes = 64 * kibibyte
