#!/usr/bin/env node
// Runs the program from the package for this platform, which npm installs together with this package.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `PACKAGE-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/sluice`);
} catch {
  console.error(
    `sluice: error: the package ${name} is not installed\n` +
      "  fix: install without --omit=optional; there are packages for PLATFORMS",
  );
  process.exit(70);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends Ctrl-C to both processes. Ignore it here, so that the program can save its answers before it exits.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`sluice: error: cannot start ${program}: ${error.message}`);
  process.exit(70);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
