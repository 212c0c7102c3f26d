import type { EditStyle } from "../../src/manifests/edit/edit-file.ts";
import type { RegistrySettings } from "./registry-settings.ts";

/** How fluxd is to work: what flags and environment say, cross-checked. Times in milliseconds. */
export interface FluxdConfig {
  readonly logFormat: "logfmt" | "json";
  /** host:port, where an empty host means every interface. */
  readonly listen: string;
  /** Where /metrics moves to; "" leaves it with the API. */
  readonly listenMetrics: string;
  /** Names under which browsers may use the API, besides those that can only be fluxd's. */
  readonly listenHosts: readonly string[];
  /** A file with the token that requests must bear; "" where nobody is asked for one. */
  readonly listenTokenFile: string;
  readonly git: GitSettings;
  readonly sync: SyncSettings;
  readonly cluster: ClusterSettings;
  readonly ssh: SshSettings;
  readonly registry: RegistrySettings;
  /** How often newer images are looked for. */
  readonly automationInterval: number;
  /** How edited manifests are written. */
  readonly writeBackStyle: EditStyle;
  /** Run the generators of .flux.yaml files. */
  readonly manifestGeneration: boolean;
  /** Reuse what generators printed while the commit has the same files below their git path. */
  readonly manifestGenerationCache: boolean;
  /** Undefined where there is none. */
  readonly upstream?: UpstreamSettings;
  /** Undefined where none are received. */
  readonly webhooks?: WebhookSettings;
}

/** Where webhooks are received. */
export interface WebhookSettings {
  /** host:port, where an empty host means every interface. */
  readonly listen: string;
  /** The file that says which are expected. */
  readonly config: string;
}

/** A service that calls the daemon and is told of events. */
export interface UpstreamSettings {
  /** The base address, as given. */
  readonly url: string;
  /** "" for none. */
  readonly token: string;
  /** How long a call may take. */
  readonly rpcTimeout: number;
}

/** The repository, and how commits are made in it. */
export interface GitSettings {
  /** As given, with its password if it has one; "" where none was given. */
  readonly url: string;
  /** True for http and https, which need no SSH key. */
  readonly isHttp: boolean;
  readonly branch: string;
  readonly paths: readonly string[];
  readonly readonly: boolean;
  readonly user: string;
  readonly email: string;
  readonly setAuthor: boolean;
  readonly syncTag: string;
  readonly notesRef: string;
  /** Put behind every commit message; "" for none. */
  readonly skipMessage: string;
  readonly pollInterval: number;
  readonly timeout: number;
}

/** The rhythm and the rules of syncs. */
export interface SyncSettings {
  readonly interval: number;
  readonly timeout: number;
  readonly garbageCollection: boolean;
  /** Only tell what would be deleted. */
  readonly garbageCollectionDry: boolean;
  /** Where it is kept what was synced last. */
  readonly state: "git" | "secret";
  readonly onDrift: boolean;
  /** Leave out files that do not load, and keep what they define. */
  readonly quarantine: boolean;
}

/** The cluster, and how much of it is ours. */
export interface ClusterSettings {
  /** The kubeconfig to use; "" for KUBECONFIG, else the pod's service account. */
  readonly kubeConfig: string;
  /** Empty for all. */
  readonly allowNamespaces: readonly string[];
  /** "" for the namespace of the kubeconfig's context, else "default". */
  readonly defaultNamespace: string;
  /** Globs over group/version/kind. */
  readonly excludeResources: readonly string[];
  /** A cluster inside this process instead; without a folder it lives in memory. */
  readonly embedded?: { readonly folder?: string };
}

/** The key for git, kept in a secret of the cluster. */
export interface SshSettings {
  readonly secretName: string;
  readonly secretVolumeMountPath: string;
  readonly secretDataKey: string;
  /** Where new keys are made. */
  readonly keygenDir: string;
  readonly keygenBits?: bigint;
  readonly keygenType?: string;
  readonly keygenFormat?: string;
}
