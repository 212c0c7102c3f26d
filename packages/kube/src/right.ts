/** Verbs for the objects of a kind in a namespace, as RBAC has them; "*" stands for all. */
export interface Right {
  readonly group: string;
  /** The plural name in paths. */
  readonly resource: string;
  /** "" for the whole cluster. */
  readonly namespace: string;
  readonly verbs: readonly string[];
}

/** "create, patch deployments.apps in shop", for people. */
export function printRight({ group, resource, namespace, verbs }: Right): string {
  const kind = group === "" ? resource : `${resource}.${group}`;
  const what = group === "*" ? "do everything" : `${verbs.join(", ")} ${kind}`;
  return `${what} ${namespace === "" ? "in the whole cluster" : `in ${namespace}`}`;
}
