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
  const platform = `${process.platform}-${process.arch}`;
  const platforms = ["PLATFORMS"];
  let fix = "install without --omit=optional";
  let problem = `the package ${name} is not installed`;
  if (!platforms.includes(platform)) {
    problem = `there is no package for ${platform}, only for ${platforms.join(" and ")}`;
    fix = "build Sluice from its sources";
  } else if (!process.report.getReport().header.glibcVersionRuntime) {
    // Such as Alpine, where npm skips the package.
    problem = "the program needs glibc, and this system has another C library";
    fix = "use a system with glibc, such as Debian, or an image like node:22-slim instead of node:22-alpine";
  }
  console.error(`sluice: error: ${problem}\n  fix: ${fix}`);
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
