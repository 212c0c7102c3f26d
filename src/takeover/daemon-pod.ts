/** Reads how fluxd is run from its Deployment: names and arguments, and never what a Secret holds. */
import { JsonReader, type JsonValue, textAt } from "@weir/base";

/** A volume that the container has. */
export interface MountedVolume {
  /** Where the container has it. */
  readonly path: string;
  /** The one file of the volume that is there; "" for all of it. */
  readonly subPath: string;
  readonly kind: "Secret" | "ConfigMap" | "other";
  /** Of the Secret or the ConfigMap; else of the volume. */
  readonly name: string;
}

/** fluxd's container and what is around it. */
export interface DaemonPod {
  readonly namespace: string;
  /** The name of the Deployment. */
  readonly deployment: string;
  readonly container: string;
  readonly image: string;
  readonly pullSecrets: readonly string[];
  readonly command: readonly string[];
  /** As the Deployment has them: `$(NAME)` is not expanded. */
  readonly args: readonly string[];
  /** Variables that the Deployment spells out; those from Secrets and ConfigMaps are left out. */
  readonly env: ReadonlyMap<string, string>;
  readonly volumes: readonly MountedVolume[];
  /** All Secrets that the container uses. */
  readonly secrets: readonly string[];
  readonly serviceAccount: string;
  /** Where the Deployment belongs to a release of the Helm chart. */
  readonly release?: HelmRelease;
  /** The ID of the HelmRelease that keeps that release as it is; "" for none. */
  readonly antecedent: string;
}

/** A release of Flux's chart. */
export interface HelmRelease {
  readonly name: string;
  /** E.g. "1.13.3". */
  readonly chartVersion: string;
}

/** The Deployment has no container that can be told to be fluxd's. */
export class NoDaemonContainerError extends Error {
  override readonly name = "NoDaemonContainerError";

  constructor(deployment: string, containers: readonly string[]) {
    super(
      `cannot tell which container of Deployment ${deployment} runs fluxd; it has ${containers.join(", ") || "none"}`,
    );
  }
}

/** The parts of a Deployment that a switch is about. Throws NoDaemonContainerError, and JsonShapeError. */
export function readDaemonPod(deployment: JsonValue): DaemonPod {
  const object = new JsonReader(deployment);
  const metadata = object.object("metadata");
  const spec = object.object("spec").object("template").object("spec");
  const container = daemonContainer(spec, metadata.text("name"));
  const volumes = volumesOf(spec, container);
  const pullSecrets = spec.list("imagePullSecrets", (value, path) =>
    new JsonReader(value, path).text("name"),
  );
  const release = releaseOf(metadata);
  return {
    namespace: metadata.text("namespace"),
    deployment: metadata.text("name"),
    container: container.text("name"),
    image: container.text("image"),
    pullSecrets: pullSecrets ?? [],
    command: container.list("command", textAt) ?? [],
    args: container.list("args", textAt) ?? [],
    env: new Map(
      variablesOf(container).flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
    ),
    volumes,
    secrets: [...new Set([...mountedSecrets(volumes), ...secretsOfVariables(container)])],
    serviceAccount: spec.text("serviceAccountName") || spec.text("serviceAccount") || "default",
    antecedent: metadata.map("annotations", textAt)?.get("helm.fluxcd.io/antecedent") ?? "",
    ...(release === undefined ? {} : { release }),
  };
}

/** By the image, then by the name, then as the only one there is. */
function daemonContainer(spec: JsonReader, deployment: string): JsonReader {
  const containers = spec.list("containers", (value, path) => new JsonReader(value, path)) ?? [];
  const found =
    containers.find((each) => /(^|\/)(flux|weir)(@|:|$)/.test(each.text("image"))) ??
    containers.find((each) => /^(flux|fluxd|weir)$/.test(each.text("name"))) ??
    (containers.length === 1 ? containers[0] : undefined);
  if (found === undefined) {
    throw new NoDaemonContainerError(
      deployment,
      containers.map((each) => each.text("name")),
    );
  }
  return found;
}

function volumesOf(spec: JsonReader, container: JsonReader): readonly MountedVolume[] {
  const volumes = spec.list("volumes", (value, path) => new JsonReader(value, path)) ?? [];
  const byName = new Map(volumes.map((volume) => [volume.text("name"), volume]));
  const mounts = container.list("volumeMounts", (value, path) => new JsonReader(value, path)) ?? [];
  return mounts.map((mount) => ({
    path: mount.text("mountPath").replace(/(?<=.)\/+$/, ""),
    subPath: mount.text("subPath"),
    ...sourceOf(mount.text("name"), byName.get(mount.text("name"))),
  }));
}

function sourceOf(name: string, volume: JsonReader | undefined): Pick<MountedVolume, "kind" | "name"> {
  if (volume?.has("secret") === true) {
    return { kind: "Secret", name: volume.object("secret").text("secretName") };
  }
  return volume?.has("configMap") === true
    ? { kind: "ConfigMap", name: volume.object("configMap").text("name") }
    : { kind: "other", name };
}

function mountedSecrets(volumes: readonly MountedVolume[]): readonly string[] {
  return volumes.filter(({ kind }) => kind === "Secret").map(({ name }) => name);
}

interface Variable {
  readonly name: string;
  /** Undefined where it comes from elsewhere. */
  readonly value: string | undefined;
  /** The Secret that it comes from; "" for none. */
  readonly secret: string;
}

function variablesOf(container: JsonReader): readonly Variable[] {
  const decode = (item: JsonValue, path: string): Variable => {
    const variable = new JsonReader(item, path);
    const from = variable.has("valueFrom");
    return {
      name: variable.text("name"),
      value: from ? undefined : variable.text("value"),
      secret: variable.object("valueFrom").object("secretKeyRef").text("name"),
    };
  };
  return container.list("env", decode) ?? [];
}

function secretsOfVariables(container: JsonReader): readonly string[] {
  const sources = container.list("envFrom", (value, path) =>
    new JsonReader(value, path).object("secretRef").text("name"),
  );
  return [...variablesOf(container).map(({ secret }) => secret), ...(sources ?? [])].filter(
    (name) => name !== "",
  );
}

/**
 * As the chart labels its objects. Only what Helm itself adds tells a release from the output of `helm template`: since
 * Helm 3.2 an annotation with the name, and in Helm 2 Tiller's name.
 */
function releaseOf(metadata: JsonReader): HelmRelease | undefined {
  const labels = metadata.map("labels", textAt) ?? new Map<string, string>();
  const annotations = metadata.map("annotations", textAt) ?? new Map<string, string>();
  const tiller = labels.get("heritage") === "Tiller" ? labels.get("release") : undefined;
  const name = annotations.get("meta.helm.sh/release-name") ?? tiller;
  const chart = /^flux-(\d.*)$/.exec(labels.get("chart") ?? "")?.[1];
  return name === undefined || chart === undefined ? undefined : { name, chartVersion: chart };
}
