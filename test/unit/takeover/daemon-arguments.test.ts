import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readDaemonArguments, syncFlagsOf } from "../../../src/takeover/daemon-arguments.ts";
import type { DaemonPod } from "../../../src/takeover/daemon-pod.ts";
import { chartInstall } from "../../support/flux-installs.ts";
import { daemonPod } from "./pods.ts";

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

  it("takes an empty --git-path, which the chart passes, for none", () => {
    const [pod] = chartInstall({ git: { url: "u", branch: "main" } }).objects.filter(
      ({ kind, metadata }) => kind === "Deployment" && metadata.name === "flux",
    );
    const spec = pod?.spec as { template: { spec: { containers: { args: string[] }[] } } };

    const { flags, error } = argumentsOf({ args: spec.template.spec.containers[0]?.args ?? [] });

    const { paths, branch, prune } = syncFlagsOf(flags);
    assert.deepEqual([error, paths, branch, prune], ["", [], "main", "off"]);
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

  it("is kept to the namespaces of both flags, and prunes as fluxd does", () => {
    const args = ["--k8s-namespace-whitelist=a,b", "--k8s-allow-namespace=b,c"];
    const both = ["--sync-garbage-collection", "--sync-garbage-collection-dry"];

    const scopes = [args, both, both.slice(0, 1)].map((each) =>
      syncFlagsOf(argumentsOf({ args: each }).flags),
    );

    assert.deepEqual(
      scopes.map(({ allowedNamespaces, prune }) => [allowedNamespaces.join(), prune]),
      [
        ["a,b,c", "off"],
        ["", "dry-run"],
        ["", "on"],
      ],
    );
  });
});
