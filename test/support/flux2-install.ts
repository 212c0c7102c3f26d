import { messageOf } from "@weir/base";
import { type ImageInfo, type PolicySet, parseImageRef, parseResourceId, parseTimestamp } from "@weir/flux";
import type { ExportedInstall, ExportedWorkload } from "../../src/switching/flux2/install.ts";
import { readDaemonArguments } from "../../src/switching/running-install/daemon-arguments.ts";
import { readDaemonPod } from "../../src/switching/running-install/daemon-pod.ts";

/** The Deployment of a fluxd with these arguments. */
export function fluxDeployment(args: readonly string[]) {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "flux", namespace: "flux" },
    spec: {
      selector: { matchLabels: { name: "flux" } },
      template: {
        metadata: { labels: { name: "flux" } },
        spec: { containers: [{ name: "flux", image: "docker.io/fluxcd/flux:1.25.4", args: [...args] }] },
      },
    },
  };
}

/** A running install with these arguments. */
export function exportedInstall(
  args: readonly string[],
  workloads: readonly ExportedWorkload[] = [],
): ExportedInstall {
  const pod = readDaemonPod(fluxDeployment(args));
  const { flags, error } = readDaemonArguments(pod);
  if (error !== "") {
    throw new Error(messageOf(error));
  }
  return { pod, flags, workloads };
}

/** A workload with one container, "main"; its tags are given oldest first. */
export function exportedWorkload({
  id = "default:deployment/web",
  image = "example.test/org/web:1",
  policies = {},
  tags = [],
  pullSecrets = [],
}: {
  readonly id?: string;
  readonly image?: string;
  readonly policies?: PolicySet;
  readonly tags?: readonly string[];
  readonly pullSecrets?: readonly string[];
}): ExportedWorkload {
  const container = { name: "main", image: parseImageRef(image) };
  return {
    id: parseResourceId(id),
    policies,
    isInGit: true,
    containers: [container],
    images: new Map([["main", imagesInTime(tags)]]),
    pullSecrets,
  };
}

/** Images with these tags, each built a day after the one before. */
export function imagesInTime(tags: readonly string[]): readonly ImageInfo[] {
  return tags.map((tag, index) => {
    const createdAt = parseTimestamp(new Date(Date.UTC(2020, 0, 1 + index)).toISOString());
    return {
      ref: { domain: "example.test", image: "org/web", tag, sha: "" },
      digest: "",
      imageId: "",
      labels: {},
      ...(createdAt === undefined ? {} : { createdAt }),
    };
  });
}
