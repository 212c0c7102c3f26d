import type { PruneLimit } from "@weir/engine";
import type { EditStyle } from "../../src/manifests/edit/edit-file.ts";
import type { RegistrySettings } from "./registry-settings.ts";

/** fluxd's configuration from flags and environment, cross-checked. Times are in milliseconds. */
export interface FluxdConfig {
  readonly logFormat: "logfmt" | "json";
  /** host:port, where an empty host means all interfaces. */
  readonly listen: string;
  /** The address for /metrics; "" for the API's address. */
  readonly listenMetrics: string;
  /** Additional host names under which browsers can use the API. */
  readonly listenHosts: readonly string[];
  /** A file with the token that requests must contain; "" to require none. */
  readonly listenTokenFile: string;
  readonly git: GitSettings;
  /** Files with OpenPGP keys, and folders of such files. */
  readonly gpgKeyImport: readonly string[];
  readonly signatures: SignatureSettings;
  readonly sync: SyncSettings;
  readonly cluster: ClusterSettings;
  readonly ssh: SshSettings;
  readonly registry: RegistrySettings;
  readonly decryption: DecryptionSettings;
  /** How often to look for newer images. */
  readonly automationInterval: number;
  /** How to write edited manifests. */
  readonly writeBackStyle: EditStyle;
  /** Run the generators of .flux.yaml files. */
  readonly manifestGeneration: boolean;
  /** Reuse the output of generators while the files below their git path stay the same. */
  readonly manifestGenerationCache: boolean;
  /** Undefined if there's none. */
  readonly upstream?: UpstreamSettings;
  /** Undefined to receive none. */
  readonly webhooks?: WebhookSettings;
}

/** How to decrypt files in git. */
export interface DecryptionSettings {
  /** Decrypt files that are encrypted with sops. */
  readonly sops: boolean;
  /** Reveal files that git-secret hid. */
  readonly gitSecret: boolean;
}

/** Where to receive webhooks. */
export interface WebhookSettings {
  /** host:port, where an empty host means all interfaces. */
  readonly listen: string;
  /** The file that configures the webhooks to accept. */
  readonly config: string;
}

/** A service that calls the daemon and receives its events. */
export interface UpstreamSettings {
  /** The base address, as given. */
  readonly url: string;
  /** "" for none. */
  readonly token: string;
  /** The time limit for a call. */
  readonly rpcTimeout: number;
}

/** The repository, and how to make commits. */
export interface GitSettings {
  /** As given, including a password; "" if none was given. */
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
  /** Appended to every commit message; "" for none. */
  readonly skipMessage: string;
  readonly pollInterval: number;
  readonly timeout: number;
  /** How often to make a change again if somebody else pushed first. */
  readonly pushRetries: number;
}

/** What to sign and verify, and with which keys. */
export interface SignatureSettings {
  /** Which commits must be signed before they're applied. */
  readonly verify: "none" | "all" | "first-parent";
  /** A key ID or user ID, or the path of a private SSH key; "" to sign nothing. */
  readonly signingKey: string;
  /** A file in ssh-keygen's format; "" to accept no SSH signatures. */
  readonly sshAllowedSigners: string;
}

/** The intervals and rules of syncs. */
export interface SyncSettings {
  readonly interval: number;
  readonly timeout: number;
  readonly garbageCollection: boolean;
  /** Only log what would be deleted. */
  readonly garbageCollectionDry: boolean;
  /** Where to store the last synced commit. */
  readonly state: "git" | "secret";
  readonly onDrift: boolean;
  /** Leave out files that can't be loaded, and keep the resources that they define. */
  readonly quarantine: boolean;
  /** How many resources a sync may delete. */
  readonly pruneLimit: PruneLimit;
  /** Apply resources that other tools manage too. */
  readonly takeOver: boolean;
  /** Apply nothing if the API server refuses anything. */
  readonly preflight: boolean;
}

/** The cluster, and which parts of it to manage. */
export interface ClusterSettings {
  /** The kubeconfig to use; "" for KUBECONFIG, or else the pod's service account. */
  readonly kubeConfig: string;
  /** Empty for all. */
  readonly allowNamespaces: readonly string[];
  /** "" for the namespace of the kubeconfig's context, else "default". */
  readonly defaultNamespace: string;
  /** Globs over group/version/kind. */
  readonly excludeResources: readonly string[];
  /** A cluster in this process instead; without a folder, it's kept in memory. */
  readonly embedded?: { readonly folder?: string };
}

/** The SSH key for git, stored in a Secret of the cluster. */
export interface SshSettings {
  readonly secretName: string;
  readonly secretVolumeMountPath: string;
  readonly secretDataKey: string;
  /** Where to generate new keys. */
  readonly keygenDir: string;
  readonly keygenBits?: bigint;
  readonly keygenType?: string;
  readonly keygenFormat?: string;
}
