import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { switchCommands } from "../../../../src/switching/takeover/switch-commands.ts";
import { daemonPod } from "../../../support/daemon-pod.ts";

const newImage = "docker.io/weirdev/weir:0.1.0";

describe("the commands of a switch", () => {
  it("set the image and take the old one back", () => {
    const commands = switchCommands({ pod: daemonPod(), newImage, context: "" });

    assert.deepEqual(commands, {
      switch: [
        "kubectl -n flux set image deployment/flux flux=docker.io/weirdev/weir:0.1.0",
        "kubectl -n flux rollout status deployment/flux",
      ],
      rollBack: [
        "kubectl -n flux set image deployment/flux flux=docker.io/fluxcd/flux:1.25.4",
        "kubectl -n flux rollout status deployment/flux",
      ],
    });
  });

  it("upgrade a release with the values that it has, in the same version of the chart", () => {
    const pod = daemonPod({ release: { name: "prod", chartVersion: "1.13.3" } });

    const { switch: commands, rollBack } = switchCommands({ pod, newImage, context: "eu" });

    assert.equal(
      commands[0],
      "helm upgrade prod fluxcd/flux --version 1.13.3 --kube-context eu --namespace flux --reuse-values --set image.repository=docker.io/weirdev/weir --set-string image.tag=0.1.0",
    );
    assert.match(
      rollBack[0] ?? "",
      /image\.repository=docker\.io\/fluxcd\/flux --set-string image\.tag=1\.25\.4$/,
    );
  });

  it("quote what the shell would take apart, and keep digests", () => {
    const image = "registry.test:5000/flux@sha256:00";
    const pod = daemonPod({ image, release: { name: "prod", chartVersion: "1.13.3" } });

    const { rollBack } = switchCommands({ pod, newImage, context: "a b" });

    assert.equal(rollBack[0], `kubectl --context='a b' -n flux set image deployment/flux flux=${image}`);
  });
});
