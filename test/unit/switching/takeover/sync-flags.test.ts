import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readDaemonArguments } from "../../../../src/switching/running-install/daemon-arguments.ts";
import { syncFlagsOf } from "../../../../src/switching/takeover/sync-flags.ts";
import { daemonPod } from "../../../support/daemon-pod.ts";
import { chartInstall } from "../../../support/flux-installs.ts";

function argumentsOf(args: readonly string[]) {
  return readDaemonArguments(daemonPod({ args }));
}

describe("the flags that a sync depends on", () => {
  it("takes an empty --git-path, which the chart passes, for none", () => {
    const [pod] = chartInstall({ git: { url: "u", branch: "main" } }).objects.filter(
      ({ kind, metadata }) => kind === "Deployment" && metadata.name === "flux",
    );
    const spec = pod?.spec as { template: { spec: { containers: { args: string[] }[] } } };

    const { flags, error } = argumentsOf(spec.template.spec.containers[0]?.args ?? []);

    const { paths, branch, prune } = syncFlagsOf(flags);
    assert.deepEqual([error, paths, branch, prune], ["", [], "main", "off"]);
  });

  it("is kept to the namespaces of both flags, and prunes as fluxd does", () => {
    const args = ["--k8s-namespace-whitelist=a,b", "--k8s-allow-namespace=b,c"];
    const both = ["--sync-garbage-collection", "--sync-garbage-collection-dry"];

    const scopes = [args, both, both.slice(0, 1)].map((each) => syncFlagsOf(argumentsOf(each).flags));

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
