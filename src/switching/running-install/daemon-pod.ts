/** Reads from the Deployment how fluxd runs: names and arguments, but never the contents of a Secret. */
import type { V1Container, V1Deployment, V1ObjectMeta, V1PodSpec, V1Volume } from "@kubernetes/client-node";

/** A volume that the container mounts. */
export interface MountedVolume {
  /** The mount path in the container. */
  readonly path: string;
  /** The file of the volume that is mounted there; "" for the whole volume. */
  readonly subPath: string;
  readonly kind: "Secret" | "ConfigMap" | "other";
  /** The name of the Secret or ConfigMap; for other kinds, of the volume. */
  readonly name: string;
}

/** fluxd's container and pod. */
export interface DaemonPod {
  readonly namespace: string;
  /** The name of the Deployment. */
  readonly deployment: string;
  readonly container: string;
  readonly image: string;
  readonly pullSecrets: readonly string[];
  readonly command: readonly string[];
  /** As in the Deployment: `$(NAME)` isn't expanded. */
  readonly args: readonly string[];
  /** Variables with a value in the Deployment, without those from Secrets and ConfigMaps. */
  readonly env: ReadonlyMap<string, string>;
  readonly volumes: readonly MountedVolume[];
  /** All Secrets that the container uses. */
  readonly secrets: readonly string[];
  readonly serviceAccount: string;
  /** Set if the Deployment belongs to a release of the Helm chart. */
  readonly release?: HelmRelease;
  /** The ID of the HelmRelease that manages that release; "" if there's none. */
  readonly antecedent: string;
}

/** A release of Flux's chart. */
export interface HelmRelease {
  readonly name: string;
  /** E.g. "1.13.3". */
  readonly chartVersion: string;
}

/** None of the Deployment's containers is recognizable as fluxd's. */
export class NoDaemonContainerError extends Error {
  override readonly name = "NoDaemonContainerError";

  constructor(deployment: string, containers: readonly string[]) {
    super(
      `cannot tell which container of Deployment ${deployment} runs fluxd; its containers: ${containers.join(", ") || "none"}`,
    );
  }
}

/** Reads the parts of a Deployment that matter for a switch. Throws NoDaemonContainerError. */
export function readDaemonPod({ metadata = {}, spec: whole }: V1Deployment): DaemonPod {
  const { name = "", namespace = "", annotations } = metadata;
  const spec = whole?.template.spec ?? { containers: [] };
  const container = daemonContainer(spec.containers, name);
  const volumes = volumesOf(spec, container);
  const release = releaseOf(metadata);
  return {
    namespace,
    deployment: name,
    container: container.name,
    image: container.image ?? "",
    pullSecrets: (spec.imagePullSecrets ?? []).map((each) => each.name ?? ""),
    command: container.command ?? [],
    args: container.args ?? [],
    env: new Map(
      (container.env ?? [])
        .filter(({ valueFrom }) => !valueFrom)
        .map((variable) => [variable.name, variable.value ?? ""]),
    ),
    volumes,
    secrets: [...new Set([...mountedSecrets(volumes), ...secretsOfVariables(container)])],
    serviceAccount: (spec.serviceAccountName ?? "") || (spec.serviceAccount ?? "") || "default",
    antecedent: annotations?.["helm.fluxcd.io/antecedent"] ?? "",
    ...(release === undefined ? {} : { release }),
  };
}

/** Finds fluxd's container by its image, then by its name; otherwise, takes the only container. */
function daemonContainer(containers: readonly V1Container[], deployment: string): V1Container {
  const found =
    containers.find(({ image = "" }) => /(^|\/)(flux|weir)(@|:|$)/.test(image)) ??
    containers.find(({ name }) => /^(flux|fluxd|weir)$/.test(name)) ??
    (containers.length === 1 ? containers[0] : undefined);
  if (found === undefined) {
    throw new NoDaemonContainerError(
      deployment,
      containers.map(({ name }) => name),
    );
  }
  return found;
}

function volumesOf(spec: V1PodSpec, { volumeMounts = [] }: V1Container): readonly MountedVolume[] {
  const byName = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  return volumeMounts.map(({ name, mountPath, subPath = "" }) => ({
    path: mountPath.replace(/(?<=.)\/+$/, ""),
    subPath,
    ...sourceOf(name, byName.get(name)),
  }));
}

function sourceOf(name: string, volume: V1Volume | undefined): Pick<MountedVolume, "kind" | "name"> {
  if (volume?.secret) {
    return { kind: "Secret", name: volume.secret.secretName ?? "" };
  }
  return volume?.configMap
    ? { kind: "ConfigMap", name: volume.configMap.name ?? "" }
    : { kind: "other", name };
}

function mountedSecrets(volumes: readonly MountedVolume[]): readonly string[] {
  return volumes.filter(({ kind }) => kind === "Secret").map(({ name }) => name);
}

function secretsOfVariables({ env = [], envFrom = [] }: V1Container): readonly string[] {
  const names = [
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ...envFrom.map(({ secretRef }) => secretRef?.name),
  ];
  return names.filter((name) => name !== undefined).filter((name) => name !== "");
}

/**
 * Recognizes the chart by its labels. To distinguish a release from the output of `helm template`, it also looks for
 * what Helm itself adds: an annotation with the release's name since Helm 3.2, and the name of Tiller in Helm 2.
 */
function releaseOf({ labels = {}, annotations = {} }: V1ObjectMeta): HelmRelease | undefined {
  const tiller = labels["heritage"] === "Tiller" ? labels["release"] : undefined;
  const name = annotations["meta.helm.sh/release-name"] ?? tiller;
  const chart = /^flux-(\d.*)$/.exec(labels["chart"] ?? "")?.[1];
  return name === undefined || chart === undefined ? undefined : { name, chartVersion: chart };
}
