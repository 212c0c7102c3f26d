/** Installs the programs that tests run, if this is Debian and we may; says how otherwise. */
import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { missingTools, type ToolLevel } from "@weir/testing";

/** Says what is missing for these levels, and installs it as root. */
export function installMissingTools(levels: readonly ToolLevel[]): void {
  const packages = packagesOf(levels);
  if (packages.length === 0 || process.getuid?.() !== 0 || spawnSync("apt-get", ["--version"]).status !== 0) {
    return;
  }
  console.log(`installing ${packages.join(" ")}`);
  const options = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, stdio: "ignore" } as const;
  spawnSync("apt-get", ["update", "-qq"], options);
  withoutServices(() => {
    for (const name of packages) {
      spawnSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", name], options);
    }
  });
}

/** The line that installs on Debian what these levels lack; undefined if they lack nothing. */
export function installLine(levels: readonly ToolLevel[]): string | undefined {
  const packages = packagesOf(levels);
  return packages.length === 0 ? undefined : `apt-get install --no-install-recommends ${packages.join(" ")}`;
}

function packagesOf(levels: readonly ToolLevel[]): readonly string[] {
  const missing = missingTools().filter(({ level }) => levels.includes(level));
  return [...new Set(missing.map(({ debianPackage }) => debianPackage))];
}

/**
 * Keeps packages such as prometheus and memcached from starting a service when they're installed, unless the machine has
 * a policy of its own: tests start what they need themselves.
 */
function withoutServices(install: () => void): void {
  const policy = "/usr/sbin/policy-rc.d";
  if (existsSync(policy)) {
    install();
    return;
  }
  // 101: the action is forbidden.
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(policy, { force: true });
  }
}
