import { makeResourceId } from "@weir/flux";
import type { DaemonPod } from "../running-install/daemon-pod.ts";
import { type AutomatedImage, automatedImages } from "./automated-images.ts";
import type { ExportedObject, LeftOut, NeededSecret } from "./exported-object.ts";
import { gitRepository, type Source } from "./git-repository.ts";
import { toFlux2Url } from "./git-url.ts";
import { imageObjects, isScanned } from "./image-objects.ts";
import { imageUpdateAutomation } from "./image-update-automation.ts";
import type { ExportedInstall, ExportedWorkload, ExportOptions } from "./install.ts";
import { kustomizations } from "./kustomizations.ts";
import { leftOutFlags } from "./left-out-flags.ts";
import { leftOutWorkloads } from "./left-out-workloads.ts";
import { type Marker, markersFor } from "./markers.ts";
import { neededSecrets } from "./needed-secrets.ts";
import { toNamePart } from "./object-names.ts";
import { secretNames } from "./secret-names.ts";

/** Everything that Flux v2 needs to continue the work of an install. */
export interface Flux2Export {
  readonly source: Source;
  /** In the order in which they can be applied. */
  readonly objects: readonly ExportedObject[];
  readonly secrets: readonly NeededSecret[];
  readonly markers: readonly Marker[];
  readonly leftOut: readonly LeftOut[];
}

/** Works out the objects for an install. Throws GitUrlError if Flux v2 can't fetch from its repository. */
export function exportToFlux2(
  { pod, flags, workloads }: ExportedInstall,
  options: ExportOptions,
): Flux2Export {
  const source = sourceOf(options.gitUrl || flags.gitUrl.value, options.namespace);
  const images = flags.registryDisableScanning.value
    ? []
    : automatedImages(workloads).filter((image) => isScanned(image, flags));
  const pushes = images.length > 0 && !flags.gitReadonly.value;
  return {
    source,
    objects: [
      gitRepository(flags, source),
      ...kustomizations(flags, source),
      ...imageObjects(images, flags, options.namespace),
      ...(pushes ? [imageUpdateAutomation(flags, source)] : []),
    ],
    secrets: neededSecrets({ flags, pod, source, images, pushes }),
    markers: pushes ? markersFor(images, options.namespace) : [],
    leftOut: [
      ...ownDeployment(pod, workloads),
      ...leftOutFlags(flags),
      ...leftOutWorkloads(workloads, flags),
      ...alwaysLeftOut(images),
    ],
  };
}

function sourceOf(gitUrl: string, namespace: string): Source {
  const url = toFlux2Url(gitUrl);
  const name = toNamePart(url.repository);
  // `flux bootstrap` has a GitRepository of this name.
  const free = name === "flux-system" ? "flux-system-v1" : name;
  return { name: free, namespace, url, secrets: secretNames(free) };
}

/** If fluxd's own Deployment is in git, Flux v2 would start fluxd again. */
function ownDeployment(
  { namespace, deployment }: DaemonPod,
  workloads: readonly ExportedWorkload[],
): readonly LeftOut[] {
  const own = makeResourceId(namespace, "deployment", deployment);
  return workloads.some(({ id, isInGit }) => id === own && isInGit)
    ? [
        {
          subject: own,
          reason: "the manifest of fluxd itself is in the repository, so Flux v2 would start fluxd again",
          remedy:
            "to stop fluxd, don't scale it: set replicas: 0 in this manifest and push, and delete the manifests of fluxd when the switch is final",
        },
      ]
    : [];
}

/** What fluxd's API doesn't report. */
function alwaysLeftOut(images: readonly AutomatedImage[]): readonly LeftOut[] {
  return [
    {
      subject: "other objects with fluxcd.io/ignore",
      reason: "fluxd reports only workloads, and Flux v2 ignores the annotation",
      remedy:
        "find them with `git grep -n 'fluxcd.io/ignore\\|flux.weave.works/ignore'` and `kubectl get`, and add kustomize.toolkit.fluxcd.io/reconcile: disabled",
    },
    {
      subject: "folders with Helm charts",
      reason:
        "fluxd skips folders with a Chart.yaml and a values.yaml; Flux v2 reads their templates and fails",
      remedy: "list these folders in a .sourceignore file in the root of the repository",
    },
    ...(images.length === 0
      ? []
      : [
          {
            subject: "fluxctl release, automate, lock, and policy",
            reason: "Flux v2 has no API that commits for people",
            remedy: "edit the manifests, the markers, and the ImagePolicies in git instead",
          },
        ]),
  ];
}
