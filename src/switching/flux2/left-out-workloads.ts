import { compareGoStrings } from "@weir/base";
import { containerOfTagPolicy, hasPolicy, parseTagPattern, printImageName } from "@weir/flux";
import type { FluxdFlags } from "../../fluxd-flags/flags.ts";
import { isAutomated, isHelmRelease, isPinned, patternOf } from "./automated-images.ts";
import type { LeftOut } from "./exported-object.ts";
import { isScanned } from "./image-objects.ts";
import type { ExportedWorkload } from "./install.ts";

/** What annotations of workloads ask of fluxd, and what has no equivalent in Flux v2. */
export function leftOutWorkloads(
  workloads: readonly ExportedWorkload[],
  flags: FluxdFlags,
): readonly LeftOut[] {
  return workloads
    .toSorted((a, b) => compareGoStrings(a.id, b.id))
    .flatMap((workload) => [...policyLosses(workload), ...imageLosses(workload, flags)]);
}

function policyLosses(workload: ExportedWorkload): readonly LeftOut[] {
  const { id, policies } = workload;
  return [
    ...(hasPolicy(policies, "locked") ? [lockLoss(workload)] : []),
    ...(hasPolicy(policies, "ignore")
      ? [
          {
            subject: id,
            reason: "Flux v2 doesn't read fluxcd.io/ignore, and would apply this workload",
            remedy:
              "add the annotation kustomize.toolkit.fluxcd.io/reconcile: disabled to its manifest before you resume the Kustomization",
          },
        ]
      : []),
    ...(policies["ignore"] === "sync_only"
      ? [
          {
            subject: id,
            reason: "Flux v2 doesn't read fluxcd.io/ignore: sync_only, and would prune this workload",
            remedy: "add the annotation kustomize.toolkit.fluxcd.io/prune: disabled to its manifest",
          },
        ]
      : []),
    ...(isHelmRelease(id) ? [helmLoss(id)] : []),
    ...(isAutomated(workload) || isHelmRelease(id) ? [] : patternLosses(workload)),
  ];
}

function lockLoss({ id, policies }: ExportedWorkload): LeftOut {
  const who = [policies["locked_user"] ?? "", policies["locked_msg"] ?? ""].filter((text) => text !== "");
  return {
    subject: id,
    reason: `locked${who.length === 0 ? "" : ` (${who.join(": ")})`}; Flux v2 has no locks`,
    remedy: "leave the markers out of its manifest, so that its images stay as they are",
  };
}

function helmLoss(id: string): LeftOut {
  return {
    subject: id,
    reason: "a HelmRelease of the Helm operator, which Flux v2 doesn't run",
    remedy:
      "keep the Helm operator running, or replace it with a HelmRelease and a HelmRepository of helm-controller; they must not manage the same release",
  };
}

function patternLosses({ id, policies }: ExportedWorkload): readonly LeftOut[] {
  const patterns = Object.keys(policies).filter((policy) => containerOfTagPolicy(policy) !== undefined);
  return patterns.length === 0 || hasPolicy(policies, "locked") || hasPolicy(policies, "ignore")
    ? []
    : [
        {
          subject: id,
          reason: "has tag patterns, but isn't automated; they only restrict `fluxctl release`",
          remedy: "nothing to do; to release with Flux v2, commit the new image",
        },
      ];
}

function imageLosses(workload: ExportedWorkload, flags: FluxdFlags): readonly LeftOut[] {
  if (!isAutomated(workload) || flags.registryDisableScanning.value) {
    return [];
  }
  return workload.containers.flatMap((container) => {
    const subject = `${workload.id}, container ${container.name}`;
    const pattern = patternOf(workload, container);
    if (!isScanned({ container }, flags)) {
      return [
        {
          subject,
          reason: `fluxd doesn't scan ${printImageName(container.image)} because of --registry-exclude-image or --registry-include-image`,
          remedy: "nothing to do; without a marker, the image stays as it is",
        },
      ];
    }
    if (isPinned(container)) {
      return [
        {
          subject,
          reason: "its image is pinned to a digest, which a marker of Flux v2 would remove",
          remedy:
            "remove the digest from its manifest and export again, or create an ImagePolicy with digestReflectionPolicy",
        },
      ];
    }
    return parseTagPattern(pattern).isValid
      ? []
      : [
          {
            subject,
            reason: `the tag pattern ${pattern} is invalid`,
            remedy: "correct the annotation, and export again",
          },
        ];
  });
}
