import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { flagsOf, parseArguments } from "@weir/cli";
import { UsageError } from "../../../../../cmd/fluxctl/command.ts";
import { declareInstallFlags } from "../../../../../cmd/fluxctl/install/flags.ts";
import { holdsPassword, parametersOf } from "../../../../../cmd/fluxctl/install/options.ts";

function flagsFrom(...args: readonly string[]) {
  const flags = declareInstallFlags();
  assert.equal(parseArguments(args, flagsOf(flags)).error, undefined);
  return flags;
}

describe("parametersOf", () => {
  it("takes git paths by their old name too, and arguments of fluxd with their commas", () => {
    const { gitPaths, fluxdArguments } = parametersOf(
      flagsFrom("--git-paths=a,b", "--git-path=c", "--fluxd-arg=--x=1,2", "--fluxd-arg", "--y"),
      "default",
    );

    assert.deepEqual(gitPaths, ["a", "b", "c"]);
    assert.deepEqual(fluxdArguments, ["--x=1,2", "--y"]);
  });

  it("refuses what cannot be a namespace", () => {
    const long = "a".repeat(64);
    for (const name of ["", "Flux", "-a", "a-", "a.b", "a: b", long]) {
      assert.throws(() => parametersOf(flagsFrom(), name), UsageError, name);
      assert.throws(() => parametersOf(flagsFrom("--k8s-allow-namespace", name || "_"), "a"), UsageError);
    }
    assert.equal(parametersOf(flagsFrom(), long.slice(1)).namespace, long.slice(1));
  });

  it("refuses the least permissions without the namespaces that they are for", () => {
    assert.throws(() => parametersOf(flagsFrom("--least-privilege"), "flux"), /--k8s-allow-namespace/);
  });

  it("refuses grants to whom everything is permitted, and grants of nothing", () => {
    const least = ["--least-privilege", "--k8s-allow-namespace=shop"];

    assert.throws(
      () => parametersOf(flagsFrom("--grant=roles"), "flux"),
      /--grant requires --least-privilege/,
    );
    assert.throws(
      () => parametersOf(flagsFrom(...least, "--grant=Role"), "flux"),
      /invalid value "Role" for --grant/,
    );
  });

  it("refuses pod security standards that there are not", () => {
    assert.throws(
      () => parametersOf(flagsFrom("--pod-security=tight"), "flux"),
      /for --pod-security: use "restricted"/,
    );
  });
});

describe("holdsPassword", () => {
  for (const [url, holds] of [
    ["https://jo:secret@example.test/r", true],
    ["https://$(GIT_AUTHUSER):$(GIT_AUTHKEY)@example.test/r", false],
    ["https://token@example.test/r", false],
    ["ssh://git@example.test:22/r", false],
    ["git@example.test:org/repo", false],
    ["https://example.test:8443/a:b@c", false],
  ] as const) {
    it(`is ${holds} for ${url}`, () => {
      assert.equal(holdsPassword(url), holds);
    });
  }
});
