/** Reads from the Deployment how fluxd runs: names and arguments, but never the contents of a Secret. */
import { JsonReader, type JsonValue, textAt } from "@weir/base";

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

/** Reads the parts of a Deployment that matter for a switch. Throws NoDaemonContainerError or JsonShapeError. */
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

/** Finds fluxd's container by its image, then by its name; otherwise, takes the only container. */
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
  /** Undefined if it comes from a Secret, a ConfigMap, or a field. */
  readonly value: string | undefined;
  /** The Secret that it comes from; "" if there's none. */
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
 * Recognizes the chart by its labels. To distinguish a release from the output of `helm template`, it also looks for
 * what Helm itself adds: an annotation with the release's name since Helm 3.2, and the name of Tiller in Helm 2.
 */
function releaseOf(metadata: JsonReader): HelmRelease | undefined {
  const labels = metadata.map("labels", textAt) ?? new Map<string, string>();
  const annotations = metadata.map("annotations", textAt) ?? new Map<string, string>();
  const tiller = labels.get("heritage") === "Tiller" ? labels.get("release") : undefined;
  const name = annotations.get("meta.helm.sh/release-name") ?? tiller;
  const chart = /^flux-(\d.*)$/.exec(labels.get("chart") ?? "")?.[1];
  return name === undefined || chart === undefined ? undefined : { name, chartVersion: chart };
}
