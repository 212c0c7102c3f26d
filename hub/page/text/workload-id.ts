/** The kinds that Flux calls workloads. */
const kinds: ReadonlySet<string> = new Set([
  "deployment",
  "daemonset",
  "statefulset",
  "cronjob",
  "helmrelease",
  "fluxhelmrelease",
]);

/** True if the ID of a resource, such as `default:deployment/helloworld`, is that of a workload, which has a screen. */
export function isWorkloadId(id: string): boolean {
  const [, kind = ""] = /^[^:]+:([^/]+)\//.exec(id) ?? [];
  return kinds.has(kind.toLowerCase());
}
