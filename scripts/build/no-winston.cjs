// Stands in for winston in the bundle: node-client loads it at import, for a logger that src/neovim/transport.ts replaces.
module.exports = {
  createLogger: () => ({ info() {}, warn() {}, error() {}, debug() {}, level: 'error' }),
  format: { printf() {}, combine() {}, timestamp() {}, simple() {}, splat() {} },
  transports: {},
  config: { syslog: { levels: {} } },
}
