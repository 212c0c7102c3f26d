/** The input of an installation's manifests; "" and empty lists omit parts. */
export interface InstallParameters {
  readonly image: string;
  readonly namespace: string;
  /** Also create that namespace. */
  readonly createNamespace: boolean;
  readonly gitUrl: string;
  readonly gitBranch: string;
  readonly gitPaths: readonly string[];
  readonly gitLabel: string;
  readonly gitUser: string;
  readonly gitEmail: string;
  readonly gitReadonly: boolean;
  readonly manifestGeneration: boolean;
  readonly registryDisableScanning: boolean;
  /** True: image metadata is cached in memcached; false: fluxd caches it itself. */
  readonly memcached: boolean;
  /** Only fluxd can connect to memcached, which has no authentication. */
  readonly memcachedNetworkPolicy: boolean;
  /** The pod of memcached doesn't run as root. */
  readonly addSecurityContext: boolean;
  /** The namespaces that fluxd is restricted to; empty for all. */
  readonly allowedNamespaces: readonly string[];
  /** Full access to the cluster, or only the permissions that fluxd needs in its allowed namespaces. */
  readonly permissions: "everything" | "least";
  /** Additional kinds that fluxd can manage with the least permissions. */
  readonly grants: readonly ApiKinds[];
  /** The pod security standard that the pods comply with; "" for none. */
  readonly podSecurity: "" | "restricted";
  /** Additional arguments for fluxd. */
  readonly fluxdArguments: readonly string[];
}

/** Kinds of one API group, by their plural names in paths. */
export interface ApiKinds {
  readonly group: string;
  readonly resources: readonly string[];
}
