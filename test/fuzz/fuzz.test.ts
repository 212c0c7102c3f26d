import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { type Counterexample, readCounterexample, TempFolder } from "@weir/testing";

const root = join(import.meta.dirname, "..", "..");
const propertyModule = pathToFileURL(join(root, "dev/testing/src/property.ts")).href;

/** A test file with two properties in one test, of which the second holds only for what `condition` says. */
function testFile(condition: string): string {
  return `
    import { it } from "node:test";
    import { fc } from ${JSON.stringify(propertyModule)};
    it("is small", () => {
      fc.assert(fc.property(fc.string(), () => true));
      fc.assert(fc.property(fc.nat(), fc.constant("x"), (n) => ${condition}));
    });
  `;
}

/** A folder with a test file, and the script of the fuzz run on that. */
class Rig implements Disposable {
  readonly #folder = new TempFolder();
  readonly #file: string;
  readonly #found: string;

  constructor(condition: string) {
    this.#found = join(this.#folder.path, "found");
    this.#file = join(this.#folder.path, "law.test.js");
    this.#folder.write("package.json", '{ "type": "module" }');
    this.write(condition);
  }

  write(condition: string): void {
    this.#folder.write("law.test.js", testFile(condition));
  }

  /** Resolves to the exit code. */
  fuzz(...args: readonly string[]): number | null {
    return this.#node({ WEIR_FUZZ_FOUND: this.#found }, "scripts/fuzz.ts", ...args, this.#file);
  }

  /** Tries what was found, and no other value that was not given to it by the fixed seed. */
  replay(name: string): number | null {
    const replayed = join(this.#found, name);
    return this.#node(
      { WEIR_FUZZ_REPLAY: replayed, WEIR_FUZZ_FOUND: undefined },
      "--import=@weir/testing/property",
      "--test",
      this.#file,
    );
  }

  counterexamples(): ReadonlyMap<string, Counterexample> {
    const names = existsSync(this.#found) ? readdirSync(this.#found) : [];
    return new Map(names.map((name) => [name, readCounterexample(join(this.#found, name))]));
  }

  #node(env: NodeJS.ProcessEnv, ...args: readonly string[]): number | null {
    const own = { ...process.env, NODE_TEST_CONTEXT: undefined, ...env };
    return spawnSync(process.execPath, args, { cwd: root, env: own }).status;
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]();
  }
}

describe("npm run fuzz", () => {
  it("writes down the smallest values for which a property does not hold", () => {
    using rig = new Rig("n < 1000");

    assert.equal(rig.fuzz(), 1);

    const found = [...rig.counterexamples()];
    assert.deepEqual(
      found.map(([name, { test, property, values }]) => ({ name, test, property, values })),
      [{ name: "is-small.json", test: "is small", property: 1, values: [1000, "x"] }],
    );
  });

  it("writes nothing where all properties hold", () => {
    using rig = new Rig("n >= 0");

    assert.equal(rig.fuzz(), 0);
    assert.equal(rig.counterexamples().size, 0);
  });

  it("leaves a file alone in which it has found something, however long it is to go on", () => {
    using rig = new Rig("n < 1000");

    assert.equal(rig.fuzz("--minutes=10"), 1);
    assert.equal(rig.counterexamples().size, 1);
  });

  it("writes what can be tried again, whatever else is tried", () => {
    using rig = new Rig("n < 1000");
    rig.fuzz();

    rig.write("n !== 1000");
    assert.equal(rig.replay("is-small.json"), 1);
    rig.write("n >= 0");
    assert.equal(rig.replay("is-small.json"), 0);
  });

  it("takes no time that is none", () => {
    using rig = new Rig("n >= 0");

    assert.equal(rig.fuzz("--minutes=soon"), 2);
  });
});
