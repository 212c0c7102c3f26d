import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { V1Deployment } from "@kubernetes/client-node";
import { kubeObject } from "@weir/testing";
import {
  NoDaemonContainerError,
  readDaemonPod,
} from "../../../../src/switching/running-install/daemon-pod.ts";
import {
  chartInstall,
  deployFolderInstall,
  type FluxInstall,
  fluxctlInstall,
} from "../../../support/flux-installs.ts";

const gitUrl = "git@github.com:org/repo";

function podOf({ objects, deployment }: FluxInstall) {
  const found = objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === deployment);
  return readDaemonPod(found as unknown as V1Deployment);
}

describe("reading how fluxd is run", () => {
  it("finds the names of all Secrets, and the release of a chart", () => {
    const pod = podOf(
      chartInstall({
        release: "prod",
        git: { url: gitUrl, secretName: "key", config: { secretName: "gitconfig" } },
        gpgKeys: { secretName: "gpg" },
        registry: { dockerConfigSecret: "registries" },
        envSecretName: "cloud",
        extraEnvs: [
          { name: "TOKEN", valueFrom: { secretKeyRef: { name: "tokens", key: "git" } } },
          { name: "REGION", value: "eu" },
        ],
      }),
    );

    assert.deepEqual(pod.secrets, ["gitconfig", "key", "registries", "gpg", "tokens", "cloud"]);
    assert.deepEqual(pod.release, { name: "prod", chartVersion: "1.13.3" });
    assert.deepEqual(
      [...pod.env],
      [
        ["KUBECONFIG", "/root/.kubectl/config"],
        ["REGION", "eu"],
      ],
    );
    assert.deepEqual([pod.deployment, pod.container, pod.serviceAccount], ["prod-flux", "flux", "prod-flux"]);
  });

  it("has no release for manifests that were applied", () => {
    const pods = [fluxctlInstall({ gitUrl, gitEmail: "a@b.test" }), deployFolderInstall({ gitUrl })].map(
      podOf,
    );

    assert.deepEqual(
      pods.map(({ namespace, release, secrets }) => [namespace, release, secrets]),
      [
        ["default", undefined, ["flux-git-deploy"]],
        ["flux", undefined, ["flux-git-deploy"]],
      ],
    );
  });

  it("has none for the output of helm template, which Helm cannot upgrade", () => {
    const pods = (["helm", "template"] as const).map((appliedBy) => podOf(chartInstall({ appliedBy })));

    assert.deepEqual(
      pods.map(({ release }) => release?.name),
      ["flux", undefined],
    );
  });

  it("takes the container with Flux's image among several, and refuses to guess", () => {
    const withImages = (...images: readonly string[]) =>
      ({
        ...kubeObject`
          apiVersion: apps/v1
          kind: Deployment
          metadata: { name: flux }
        `,
        spec: {
          template: { spec: { containers: images.map((image, index) => ({ name: `c${index}`, image })) } },
        },
      }) as unknown as V1Deployment;

    const found = readDaemonPod(withImages("proxy:1", "registry.example.test:5000/mirror/flux@sha256:0"));

    assert.equal(found.container, "c1");
    assert.throws(
      () => readDaemonPod(withImages("proxy:1", "fluxcd/flux-adapter:1")),
      NoDaemonContainerError,
    );
  });
});
