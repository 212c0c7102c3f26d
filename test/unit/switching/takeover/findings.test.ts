import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Finding } from "@weir/base";
import { makeResourceId } from "@weir/flux";
import { readDaemonArguments } from "../../../../src/switching/running-install/daemon-arguments.ts";
import {
  commandFindings,
  flagFindings,
  imageFinding,
  ownerFindings,
} from "../../../../src/switching/takeover/findings.ts";
import { daemonPod } from "../../../support/daemon-pod.ts";

function ofFlags(...args: readonly string[]): readonly string[] {
  return flagFindings(readDaemonArguments(daemonPod({ args }))).map(told);
}

function told({ verdict, found }: Finding): string {
  return `${verdict}: ${found}`;
}

describe("findings about fluxd's flags", () => {
  it("refuse no flag of Flux v1", () => {
    const found = ofFlags(
      "--sops",
      "--git-secret",
      "--git-signing-key=k",
      "--git-verify-signatures",
      "--git-url=u",
    );

    assert.deepEqual(found, ["passed: Weir supports all flags of this Deployment"]);
  });

  it("name those without effect, and those of a fork", () => {
    assert.deepEqual(ofFlags("--k8s-verbosity=2"), ["warning: Weir ignores --k8s-verbosity"]);
    assert.match(ofFlags("--of-a-fork").join(), /^failed: Weir would not start: .*--of-a-fork/);
    assert.deepEqual(ofFlags("--git-url=u"), ["passed: Weir supports all flags of this Deployment"]);
  });

  it("name the flags that have to be longer than 0s", () => {
    assert.deepEqual(ofFlags("--git-timeout=0s", "--sync-interval=5m"), [
      "failed: Weir would not start: --git-timeout must be longer than 0s",
    ]);
  });
});

describe("findings about the command", () => {
  it("name a program that isn't in Weir's image", () => {
    const commands = [[], ["fluxd"], ["/sbin/tini", "--", "/usr/local/bin/fluxd"], ["/opt/start", "fluxd"]];

    const verdicts = commands.map((command) =>
      commandFindings(readDaemonArguments(daemonPod({ command, args: ["--git-url=u"] }))).map(told),
    );

    assert.deepEqual(
      verdicts.map((found) => found.length),
      [0, 0, 0, 1],
    );
    assert.match(verdicts[3]?.[0] ?? "", /\/opt\/start/);
  });
});

describe("findings about the image", () => {
  it("warn where it comes from another registry", () => {
    const weir = "docker.io/weirdev/weir:1";
    const found = [
      imageFinding(daemonPod(), weir),
      imageFinding(daemonPod({ image: "fluxcd/flux:1.25.4" }), weir),
      imageFinding(daemonPod({ image: "registry.test:5000/flux:1", pullSecrets: ["pull"] }), weir),
      imageFinding(daemonPod({ image: weir }), weir),
    ];

    assert.deepEqual(
      found.map(({ verdict }) => verdict),
      ["passed", "passed", "warning", "passed"],
    );
    assert.match(found[2]?.found ?? "", /registry\.test:5000 with pull secret pull; .* docker\.io$/);
  });
});

describe("findings about who keeps the Deployment as it is", () => {
  it("warn where git has it, or a HelmRelease installs it", () => {
    const pod = daemonPod({ antecedent: "flux:helmrelease/flux" });
    const inGit = new Set([makeResourceId("flux", "deployment", "flux")]);

    const found = [ownerFindings(daemonPod(), new Set()), ownerFindings(pod, inGit)].map((each) =>
      each.map(told),
    );

    assert.deepEqual(found, [
      [],
      [
        "warning: git contains the manifest of Deployment flux itself",
        "warning: flux:helmrelease/flux installs the chart",
      ],
    ]);
  });
});
