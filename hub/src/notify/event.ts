/** How bad an event is, from least to worst. */
export const severities = ["info", "warning", "error"] as const;

export type Severity = (typeof severities)[number];

/** An event as notifications see it: what rules match, and what templates can show. Every text may be hostile. */
export interface NotableEvent {
  /** The console's number for the event; later events have higher numbers. */
  readonly id: number;
  readonly instance: { readonly id: string; readonly name: string };
  /** Such as "sync", "release", "drift", or "failure". */
  readonly type: string;
  readonly severity: Severity;
  /** Empty if the event concerns the whole instance. */
  readonly namespaces: readonly string[];
  /** Resource IDs, such as "team-a:deployment/web". */
  readonly workloads: readonly string[];
  /** The full hash of a commit; "" if there is none. */
  readonly revision: string;
  readonly message: string;
  readonly at: Date;
  /** The event in the console's page; "" if the console doesn't know its own address. */
  readonly link: string;
}

/** The worst of several severities; "info" for none. */
export function worstOf(all: readonly Severity[]): Severity {
  return severities.findLast((severity) => all.includes(severity)) ?? "info";
}
