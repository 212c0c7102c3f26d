import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readDaemonArguments } from "../../../../src/switching/running-install/daemon-arguments.ts";
import type { DaemonPod } from "../../../../src/switching/running-install/daemon-pod.ts";
import { daemonPod } from "../../../support/daemon-pod.ts";

function argumentsOf(given: Partial<DaemonPod>) {
  return readDaemonArguments(daemonPod(given));
}

describe("reading the arguments of a fluxd", () => {
  it("puts in the variables that the Deployment spells out, and no others", () => {
    const env = new Map([["ORG", "acme"]]);
    const args = ["--git-url=https://$(USER):$(KEY)@git.test/$(ORG)/$$(ORG)"];

    const { flags } = argumentsOf({ env, args });

    assert.equal(flags.gitUrl.value, "https://$(USER):$(KEY)@git.test/acme/$(ORG)");
  });

  it("tells the program from its flags, and a flag that nobody knows", () => {
    const wrapped = argumentsOf({
      command: ["/sbin/tini", "--", "fluxd", "--git-branch=a"],
      args: ["--sops"],
    });
    const unknown = argumentsOf({ args: ["--of-a-fork=1"] });

    assert.deepEqual(wrapped.program, ["/sbin/tini", "--", "fluxd"]);
    assert.deepEqual([wrapped.flags.gitBranch.value, wrapped.flags.sops.value], ["a", true]);
    assert.match(unknown.error, /--of-a-fork/);
  });
});
