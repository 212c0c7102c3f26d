/** Verbs for the objects of a kind in a namespace, as in RBAC; "*" means all. */
export interface Right {
  readonly group: string;
  /** The plural name in paths. */
  readonly resource: string;
  /** "" for the whole cluster. */
  readonly namespace: string;
  readonly verbs: readonly string[];
}

/** A right in readable form: "create, patch deployments.apps in shop". */
export function printRight({ group, resource, namespace, verbs }: Right): string {
  const kind = group === "" ? resource : `${resource}.${group}`;
  const what = group === "*" ? "do everything" : `${verbs.join(", ")} ${kind}`;
  return `${what} ${namespace === "" ? "in the whole cluster" : `in ${namespace}`}`;
}
