import type { JsonObject } from "@weir/base";

/** The values of the chart that installs commonly set, under the names that they have in values.yaml. */
export interface ChartValues {
  /** The name of the release, "flux" in the chart's own instructions. */
  readonly release?: string;
  readonly namespace?: string;
  /** Who applies the objects: Helm 3, which marks them as its own, or somebody who pipes `helm template`. */
  readonly appliedBy?: "helm" | "template";
  /** image.repository and image.tag. */
  readonly image?: string;
  /** image.pullSecret. */
  readonly imagePullSecret?: string;
  readonly logFormat?: string;
  readonly allowedNamespaces?: readonly string[];
  readonly defaultNamespace?: string;
  readonly serviceAccount?: { readonly create?: boolean; readonly name?: string };
  /** With `create: false` fluxd gets Roles in its own namespace and the allowed ones, and is kept to them. */
  readonly clusterRole?: { readonly create?: boolean; readonly name?: string };
  readonly git?: ChartGitValues;
  readonly ssh?: { readonly knownHosts?: string; readonly config?: string };
  readonly kube?: { readonly config?: string; readonly externalConfig?: boolean };
  readonly memcached?: { readonly enabled?: boolean; readonly hostnameOverride?: string };
  readonly registry?: ChartRegistryValues;
  /** sops.enabled. */
  readonly sops?: boolean;
  readonly gpgKeys?: { readonly secretName?: string; readonly configMapName?: string };
  readonly manifestGeneration?: boolean;
  readonly syncGarbageCollection?: { readonly enabled?: boolean; readonly dry?: boolean };
  readonly sync?: {
    readonly state?: "git" | "secret";
    readonly interval?: string;
    readonly timeout?: string;
  };
  /** Of Weave Cloud. */
  readonly token?: string;
  /** env.secretName. */
  readonly envSecretName?: string;
  readonly extraEnvs?: readonly JsonObject[];
  /** The source is what the volume is, e.g. `{ emptyDir: {} }`. */
  readonly extraVolumes?: readonly { readonly name: string; readonly source: JsonObject }[];
  readonly extraVolumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly additionalArgs?: readonly string[];
  /** prometheus.enabled. */
  readonly prometheusAnnotations?: boolean;
  /** prometheus.serviceMonitor.create. */
  readonly serviceMonitor?: boolean;
}

/** The values below `git:`. */
export interface ChartGitValues {
  readonly url?: string;
  readonly branch?: string;
  /** Several are separated by commas. */
  readonly path?: string;
  readonly readonly?: boolean;
  readonly user?: string;
  readonly email?: string;
  readonly label?: string;
  readonly ciSkip?: boolean;
  readonly setAuthor?: boolean;
  readonly pollInterval?: string;
  readonly timeout?: string;
  /** A Secret with the deploy key that the chart does not make. */
  readonly secretName?: string;
  readonly secretDataKey?: string;
  readonly signingKey?: string;
  readonly verifySignatures?: boolean;
  readonly verifySignaturesMode?: string;
  /** git.secret.enabled: run git-secret. */
  readonly secret?: boolean;
  /** A gitconfig, given or in a Secret that the chart does not make. */
  readonly config?: { readonly data: string } | { readonly secretName: string };
}

/** The values below `registry:`. */
export interface ChartRegistryValues {
  readonly disableScanning?: boolean;
  readonly automationInterval?: string;
  readonly insecureHosts?: string;
  readonly excludeImage?: string;
  readonly includeImage?: string;
  /** registry.ecr.region. */
  readonly ecrRegion?: string;
  /** registry.acr.enabled, with the credentials of the node. */
  readonly acr?: boolean;
  /** registry.dockercfg.secretName. */
  readonly dockerConfigSecret?: string;
}

/** What the objects of a release are called and labelled. */
export interface ChartNames {
  readonly release: string;
  readonly namespace: string;
  /** The chart's name. */
  readonly name: string;
  /** The release's name, with the chart's behind it unless it holds that already. */
  readonly fullName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly serviceAccount: string;
  readonly deployKeySecret: string;
}

/** The names that a release has by its values. */
export function chartNames(values: ChartValues): ChartNames {
  const { release = "flux", namespace = "flux", serviceAccount = {}, git = {} } = values;
  const name = "flux";
  const fullName = release.includes(name) ? release : `${release}-${name}`;
  return {
    release,
    namespace,
    name,
    fullName,
    labels: { app: name, chart: `${name}-1.13.3`, release, heritage: "Helm" },
    podLabels: { app: name, release },
    serviceAccount: serviceAccount.name ?? (serviceAccount.create === false ? "default" : fullName),
    deployKeySecret: git.secretName ?? `${fullName}-git-deploy`,
  };
}
