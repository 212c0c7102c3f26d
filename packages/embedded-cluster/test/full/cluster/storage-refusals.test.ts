import { inOwnWords, patch, post, type Request, remove } from "../../support/request.ts";
import { describeSameAnswers } from "./twins.ts";

const volumes = "/api/v1/persistentvolumes";
const claims = "/api/v1/namespaces/$ns/persistentvolumeclaims";
const storageClasses = "/apis/storage.k8s.io/v1/storageclasses";
const growing = named("storage.k8s.io/v1", "StorageClass", { provisioner: "a", allowVolumeExpansion: true });

describeSameAnswers("volumes and claims are judged as by the real API server", {
  "in the sources of volumes": [
    { hostPath: { path: "/a/../b" } },
    { local: { path: "../a" } },
    { csi: { driver: "", volumeHandle: "" } },
    { hostPath: { path: "" }, nfs: { server: "", path: "" } },
    { nfs: { server: "a", path: "/b" }, local: { path: "" } },
    { csi: { driver: "A b", volumeHandle: "a" } },
    { hostPath: { path: "/a" }, storageClassName: "A b", volumeMode: "Any" },
    { hostPath: { path: "/a" }, persistentVolumeReclaimPolicy: "Any" },
  ].map((spec) => post(`${volumes}?dryRun=All`, volume(spec))),
  "in changes of volumes": [
    post(volumes, volume({ hostPath: { path: "/a" } })),
    inOwnWords(patch("merge", `${volumes}/$ns`, { spec: { hostPath: { path: "/b" } } })),
    ...merges(
      `${volumes}/$ns`,
      { spec: { volumeMode: "Block" } },
      { spec: { capacity: { storage: "2Gi" } } },
      { metadata: { finalizers: null } },
    ),
    remove(`${volumes}/$ns`),
  ],
  "in changes of claims that are bound": [
    post(storageClasses, growing),
    post(claims, claim("1Gi")),
    patch("merge", `${claims}/$ns/status`, { status: { phase: "Bound", capacity: { storage: "1Gi" } } }),
    ...merges(
      `${claims}/$ns`,
      { spec: { resources: { requests: { storage: "3Gi" } } } },
      { spec: { resources: { requests: { storage: "2Gi" } } } },
      { spec: { resources: { requests: { storage: "512Mi" } } } },
    ),
    ...merges(
      `${claims}/$ns`,
      { spec: { volumeMode: "Block" } },
      { spec: { resources: { requests: { storage: "3Gi" }, limits: { storage: "4Gi" } } } },
    ).map(inOwnWords),
    remove(`${storageClasses}/$ns`),
  ],
  "in changes of storage classes": [
    post(storageClasses, named("storage.k8s.io/v1", "StorageClass", { provisioner: "A.b" })),
    ...merges(
      `${storageClasses}/$ns`,
      { provisioner: "b", parameters: { a: "b" }, reclaimPolicy: "Retain" },
      { volumeBindingMode: "WaitForFirstConsumer" },
      { allowVolumeExpansion: true },
    ),
    remove(`${storageClasses}/$ns`),
  ],
});

const leases = "/apis/coordination.k8s.io/v1/namespaces/$ns/leases";
const priorityClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";

describeSameAnswers("leases and priority classes are judged as by the real API server", {
  "in the times of leases": [
    post(leases, lease({ leaseDurationSeconds: 0, leaseTransitions: -1 })),
    post(leases, named("coordination.k8s.io/v1", "Lease", {})),
  ],
  "in what chooses leaders": [
    post(leases, lease({ preferredHolder: "a" })),
    ...merges(`${leases}/$ns`, { spec: { strategy: "Any", preferredHolder: "b", holderIdentity: "c" } }),
  ],
  "in the priorities of the system": [
    { value: 1 },
    { value: 2_000_001_000, globalDefault: true },
    { value: 2_000_001_000, preemptionPolicy: "Any" },
  ].map((body) =>
    post(`${priorityClasses}?dryRun=All`, {
      ...named("scheduling.k8s.io/v1", "PriorityClass", body),
      metadata: { name: "system-node-critical" },
    }),
  ),
  "in changes of priority classes": [
    post(priorityClasses, named("scheduling.k8s.io/v1", "PriorityClass", { value: 1 })),
    ...merges(`${priorityClasses}/$ns`, { value: 2 }, { preemptionPolicy: "Never" }, { description: "text" }),
    remove(`${priorityClasses}/$ns`),
  ],
});

function merges(place: string, ...patches: readonly object[]): readonly Request[] {
  return patches.map((each) => patch("merge", place, each));
}

/** An object with the name of the namespace, which no other scenario has. */
function named(apiVersion: string, kind: string, body: object): object {
  return { apiVersion, kind, metadata: { name: "$ns" }, ...body };
}

function volume(spec: object): object {
  const common = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };
  return named("v1", "PersistentVolume", { spec: { ...common, ...spec } });
}

function claim(storage: string): object {
  const spec = {
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage } },
    storageClassName: "$ns",
  };
  return named("v1", "PersistentVolumeClaim", { spec });
}

function lease(spec: object): object {
  return named("coordination.k8s.io/v1", "Lease", { spec });
}
