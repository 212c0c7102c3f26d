import type { JsonObject } from "@weir/base";
import type { FluxdFlags } from "../../fluxd-flags/flags.ts";
import { apiVersions, type ExportedObject } from "./exported-object.ts";
import type { Source } from "./git-repository.ts";
import { printInterval } from "./interval.ts";
import { toNamePart, uniqueNames } from "./object-names.ts";

/** A suspended Kustomization for each git path, or one for the whole repository. */
export function kustomizations(flags: FluxdFlags, source: Source): readonly ExportedObject[] {
  const paths = gitPathsOf(flags);
  const names = uniqueNames(
    paths.map(
      (path) => [path, paths.length === 1 ? source.name : toNamePart(`${source.name}-${path}`)] as const,
    ),
  );
  return paths.map((path) => ({
    object: {
      apiVersion: apiVersions.kustomize,
      kind: "Kustomization",
      metadata: { name: names.get(path) ?? source.name, namespace: source.namespace },
      spec: specOf(path, flags, source),
    },
    comments: commentsOn(flags),
  }));
}

/** The git paths in the form of Flux v2; "./" for the whole repository. Ignores the empty path that the chart passes. */
export function gitPathsOf({ gitPath }: Pick<FluxdFlags, "gitPath">): readonly string[] {
  const paths = gitPath.value
    .map((path) => path.replaceAll(/^(\.?\/)+|\/+$/g, ""))
    .map((path) => (path === "." ? "" : path));
  const given = gitPath.value.some((path) => path !== "") ? [...new Set(paths)] : [""];
  return given.map((path) => `./${path}`);
}

function specOf(path: string, flags: FluxdFlags, { name, secrets }: Source): JsonObject {
  const keys = flags.gitGpgKeyImport.value.length === 0 ? {} : { secretRef: { name: secrets.decryption } };
  return {
    suspend: true,
    interval: printInterval(flags.syncInterval.value),
    timeout: printInterval(flags.syncTimeout.value),
    sourceRef: { kind: "GitRepository", name },
    path,
    prune: flags.syncGarbageCollection.value && !flags.syncGarbageCollectionDry.value,
    deletionPolicy: "Orphan",
    ...(flags.sops.value ? { decryption: { provider: "sops", ...keys } } : {}),
  };
}

function commentsOn(flags: FluxdFlags): readonly string[] {
  return [
    "Suspended, so that it changes nothing while fluxd runs. Resume it once fluxd has stopped.",
    "deletionPolicy: Orphan keeps the objects in the cluster if you delete this Kustomization to switch back. Remove it when the switch is final.",
    ...(flags.syncGarbageCollection.value
      ? []
      : [
          "prune is false because fluxd runs without --sync-garbage-collection: what is removed from git stays in the cluster.",
        ]),
    ...(flags.sops.value && flags.gitGpgKeyImport.value.length === 0
      ? [
          "fluxd imports no GPG keys, so its SOPS keys come from elsewhere, such as a cloud's KMS. Give kustomize-controller the same access, or name a Secret with the keys in decryption.secretRef.",
        ]
      : []),
  ];
}
