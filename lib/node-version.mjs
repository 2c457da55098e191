// Loaded before the program by the scripts of package.json. In plain JavaScript, because a Node that is too old cannot
// read anything else here.

if (!process.features.typescript) {
  process.stderr.write(
    `This code needs Node 22.18 or newer, which runs TypeScript by itself; this is Node ${process.versions.node}.\n` +
      'On Linux (x64, arm64) and Windows (x64), npm ci brings a Node 24 along. Elsewhere, install one.\n',
  )
  process.exit(1)
}
