import { changesOf, type KindRules } from "../../resources/kind-rules.ts";
import {
  copyField,
  ensureTree,
  isTrueAt,
  numberAt,
  stringAt,
  type Tree,
  treeAt,
  treesAt,
} from "../../tree.ts";
import { dnsLabel } from "../../validate/text-rules.ts";
import { admitPod, admitTolerations } from "./admission.ts";
import { qualityOfService } from "./quality-of-service.ts";
import { checkPod, checkPodUpdate } from "./validate/pod.ts";

/** The rules of Pods. */
export const podRules: KindRules = {
  generation: changesOf("spec"),
  returnsDeleted: true,
  statusKeeps: [
    ["metadata", "deletionTimestamp"],
    ["metadata", "ownerReferences"],
  ],
  gracePeriod: gracePeriodOf,
  admit: (pod, old, context) => {
    if (old === undefined) {
      admitPod(pod, context);
    } else {
      admitTolerations(pod);
    }
  },
  prepareCreate: (pod, { now }) => {
    const spec = ensureTree(pod, "spec");
    if ((numberAt(spec, "terminationGracePeriodSeconds") ?? 0) < 0) {
      spec["terminationGracePeriodSeconds"] = 1;
    }
    pod["status"] = statusOfNew(pod, now);
  },
  prepareStatus: (pod, old) => {
    const status = ensureTree(pod, "status");
    if (stringAt(status, "qosClass") === "") {
      copyField(ensureTree(old, "status"), status, "qosClass");
    }
  },
  check: checkPod,
  checkWholeUpdate: checkPodUpdate,
  checkStatus: (pod, old) => pod.at("status.qosClass").unchanged(old.at("status.qosClass")),
  warnings: (pod) => [
    ...warnOfName(stringAt(pod, "metadata", "name")),
    ...warnOfVolumes(pod),
    ...warnOfSecrets(pod),
  ],
  selectableFields: (pod) => ({
    "spec.nodeName": stringAt(pod, "spec", "nodeName"),
    "spec.restartPolicy": stringAt(pod, "spec", "restartPolicy"),
    "spec.schedulerName": stringAt(pod, "spec", "schedulerName"),
    "spec.serviceAccountName": stringAt(pod, "spec", "serviceAccountName"),
    "spec.hostNetwork": String(isTrueAt(pod, "spec", "hostNetwork")),
    "status.phase": stringAt(pod, "status", "phase"),
    "status.podIP": stringAt(pod, "status", "podIP"),
    "status.nominatedNodeName": stringAt(pod, "status", "nominatedNodeName"),
  }),
};

function warnOfName(name: string): readonly string[] {
  const found = dnsLabel(name);
  return found.length === 0
    ? []
    : [
        `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${found.join(" ")}]`,
      ];
}

function warnOfSecrets(pod: Tree): readonly string[] {
  return treesAt(pod, "spec", "imagePullSecrets").flatMap((secret, index) =>
    stringAt(secret, "name") === "" ? [`spec.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
  );
}

function warnOfVolumes(pod: Tree): readonly string[] {
  return treesAt(pod, "spec", "volumes")
    .filter((volume) => treeAt(volume, "projected") !== undefined)
    .filter((volume) => treesAt(volume, "projected", "sources").every((one) => Object.keys(one).length === 0))
    .map(
      (volume) => `volume ${JSON.stringify(stringAt(volume, "name"))} (Projected) has no sources provided`,
    );
}

function statusOfNew(pod: Tree, now: string): Tree {
  const spec = treeAt(pod, "spec") ?? {};
  const gated = {
    type: "PodScheduled",
    status: "False",
    reason: "SchedulingGated",
    message: "Scheduling is blocked due to non-empty scheduling gates",
    lastProbeTime: null,
    lastTransitionTime: now,
  };
  return {
    phase: "Pending",
    ...(treesAt(spec, "schedulingGates").length > 0 ? { conditions: [gated] } : {}),
    qosClass: qualityOfService(spec),
  };
}

/** A pod that runs on no node, or runs no more, goes at once. */
function gracePeriodOf(pod: Tree, asked: number | undefined): number {
  const isIdle = stringAt(pod, "spec", "nodeName") === "";
  const isDone = ["Succeeded", "Failed"].includes(stringAt(pod, "status", "phase"));
  const own = numberAt(pod, "spec", "terminationGracePeriodSeconds") ?? 0;
  const seconds = asked ?? own;
  return isIdle || isDone ? 0 : seconds < 0 ? 1 : seconds;
}
