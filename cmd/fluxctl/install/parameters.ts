/** What the documents of an installation are made from; "" and empty lists leave things out. */
export interface InstallParameters {
  readonly image: string;
  readonly namespace: string;
  /** Also make that namespace. */
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
  /** Image metadata is kept in a memcached beside fluxd, else by fluxd itself. */
  readonly memcached: boolean;
  /** Nobody but fluxd reaches memcached, which asks nobody who they are. */
  readonly memcachedNetworkPolicy: boolean;
  /** The pod of memcached does not run as root. */
  readonly addSecurityContext: boolean;
  /** The namespaces that fluxd is kept to; empty for all. */
  readonly allowedNamespaces: readonly string[];
  /** May fluxd do everything in the cluster, or what it needs in the namespaces allowed to it? */
  readonly permissions: "everything" | "least";
  /** Kinds beside the usual ones that fluxd may manage where it has the least permissions. */
  readonly grants: readonly ApiKinds[];
  /** The pods keep to the pod security standard of that name; "" asks for nothing. */
  readonly podSecurity: "" | "restricted";
  /** More arguments of fluxd. */
  readonly fluxdArguments: readonly string[];
}

/** Kinds of one API group, by the names that they have in paths. */
export interface ApiKinds {
  readonly group: string;
  readonly resources: readonly string[];
}

/** Where fluxd is pulled from; in a repository of the name that people's overlays look for. */
export function imageOf(version: string): string {
  return `docker.io/fluxcd/flux:weir-${version}`;
}
