import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";

const scripts = join(import.meta.dirname, "../../scripts");

/** In the place of npm: `ci` installs "all" or "some" packages, `pack` fetches a Node that prints its name. */
const npm = `#!/bin/sh
case "$*" in
  ci*--omit=dev*) installs=some ;;
  ci*) installs=all ;;
  pack*)
    mkdir -p made/package/bin
    printf '#!/bin/sh\\necho pinned\\n' >made/package/bin/node
    chmod +x made/package/bin/node
    tar -czf scripts/pinned-node/node_modules/node.tgz -C made package
    echo '[{"integrity": "sha512-right"}]'
    exit ;;
esac
rm -rf node_modules
mkdir -p node_modules/.bin
echo "$installs" >>installs
`;

/** A clone of the repository, as far as the set-up looks at it, on a machine with some version of Node. */
class Clone extends TempFolder {
  constructor(nodeVersion: number) {
    super();
    cpSync(join(scripts, "setup.sh"), this.#path("scripts/setup.sh"));
    cpSync(join(scripts, "pinned-node"), this.#path("scripts/pinned-node"), {
      recursive: true,
      filter: (source) => !source.includes("node_modules"),
    });
    this.pin("sha512-right");
    this.lock("first");
    this.write("bin/npm", npm, 0o755);
    this.write(
      "bin/node",
      `#!/bin/sh\ncase $1 in -p) echo ${nodeVersion} ;; --*) echo v${nodeVersion} ;; *) exec ${process.execPath} "$@" ;; esac\n`,
      0o755,
    );
  }

  /** Runs the set-up; returns what has been installed so far, in order. */
  setUp(...args: readonly string[]): readonly string[] {
    const { status, stderr } = this.run(...args);
    assert.equal(status, 0, stderr);
    const log = this.#path("installs");
    return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
  }

  run(...args: readonly string[]): { status: number | null; stderr: string } {
    const path = [this.#path("node_modules/.bin"), this.#path("bin"), "/usr/bin", "/bin"].join(":");
    return spawnSync("sh", ["scripts/setup.sh", ...args], {
      cwd: this.path,
      env: { PATH: path },
      encoding: "utf8",
    });
  }

  lock(text: string): void {
    this.write("package-lock.json", text);
  }

  /** Says which checksum the package with Node for this machine has. */
  pin(integrity: string): void {
    const pinned = { version: "24.0.0", integrity, os: process.platform, cpu: process.arch };
    const lock = { packages: { "": {}, "node_modules/node-here": pinned } };
    this.write("scripts/pinned-node/package-lock.json", JSON.stringify(lock));
  }

  /** What the Node says that scripts find first; undefined where they find the machine's own. */
  get node(): string | undefined {
    const linked = this.#path("node_modules/.bin/node");
    return existsSync(linked) ? spawnSync(linked, { encoding: "utf8" }).stdout.trim() : undefined;
  }

  removePackages(): void {
    rmSync(this.#path("node_modules"), { recursive: true });
  }

  #path(name: string): string {
    return join(this.path, name);
  }
}

describe("scripts/setup.sh", () => {
  it("installs for a build what a build needs, once", () => {
    using clone = new Clone(24);

    clone.setUp("build");

    assert.deepEqual(clone.setUp("build"), ["some"]);
  });

  it("installs everything after a build's packages, and then nothing for a build", () => {
    using clone = new Clone(24);

    clone.setUp("build");
    clone.setUp();

    assert.deepEqual(clone.setUp("build"), ["some", "all"]);
  });

  it("installs again what another lockfile names", () => {
    using clone = new Clone(24);

    clone.setUp();
    clone.lock("second");

    assert.deepEqual(clone.setUp(), ["all", "all"]);
  });

  it("leaves a machine its Node where that is new enough", () => {
    using clone = new Clone(24);

    clone.setUp();

    assert.equal(clone.node, undefined);
  });

  it("puts the pinned Node beside one that is too old, also after packages are installed anew", () => {
    using clone = new Clone(20);

    clone.setUp("build");
    const first = clone.node;
    clone.setUp();
    const second = clone.node;
    clone.removePackages();
    clone.setUp();

    assert.deepEqual([first, second, clone.node], ["pinned", "pinned", "pinned"]);
  });

  it("refuses a Node whose checksum is not the pinned one", () => {
    using clone = new Clone(20);
    clone.pin("sha512-other");

    const { status, stderr } = clone.run();

    assert.equal(status, 1);
    assert.match(stderr, /the checksum of node-here@24.0.0 differs/);
    assert.equal(clone.node, undefined);
  });
});
