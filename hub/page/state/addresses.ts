import { pathOf } from "./path.ts";

/** Names a workload among all. */
export interface WorkloadAddress {
  readonly instance: string;
  readonly workload: string;
}

/** The parts of the screen of a workload. */
export const workloadTabs = ["", "images", "resources", "diff", "events", "history"] as const;
export type WorkloadTab = (typeof workloadTabs)[number];

/** The address of a workload's screen, or of a part of it. */
export function workloadAt(values: WorkloadAddress, tab: WorkloadTab = ""): string {
  const path = pathOf("/instances/:instance/workloads/:workload", values);
  return tab === "" ? path : `${path}/${tab}`;
}

/** The parts of the screen of an instance. */
export const instanceTabs = ["", "drift", "settings"] as const;
export type InstanceTab = (typeof instanceTabs)[number];

/** The address of an instance's screen, or of a part of it. */
export function instanceAt(instance: string, tab: InstanceTab = ""): string {
  const path = pathOf("/instances/:instance", { instance });
  return tab === "" ? path : `${path}/${tab}`;
}

/** The address of an event. */
export function eventAt(event: number): string {
  return pathOf("/events/:event", { event: String(event) });
}

/** The address of a job. */
export function jobAt(job: string): string {
  return pathOf("/jobs/:job", { job });
}

/** What a release is prepared with. */
export interface ReleaseAddress {
  readonly instance: string;
  readonly workloads: readonly string[];
  /** An image for a container of the first workload; without it, the newest for all. */
  readonly container?: string;
  readonly image?: string;
}

/** The address where a release is prepared. */
export function releaseAt({ instance, workloads, container, image }: ReleaseAddress): string {
  const query = new URLSearchParams(workloads.map((id): [string, string] => ["workload", id]));
  if (container !== undefined && image !== undefined) {
    query.set("container", container);
    query.set("image", image);
  }
  return `${pathOf("/instances/:instance/release", { instance })}?${query.toString()}`;
}

/** The parts of the administration; whether they are also for administrators of a part of the instances. */
export const administrationTabs = [
  ["", "Instances", false],
  ["users", "Users", false],
  ["roles", "Roles", true],
  ["approvals", "Approvals", true],
  ["notifications", "Notifications", false],
  ["audit", "Audit log", true],
] as const;
export type AdministrationTab = (typeof administrationTabs)[number][0];

/** The address of a part of the administration. */
export function administrationAt(tab: AdministrationTab): string {
  return tab === "" ? "/administration" : `/administration/${tab}`;
}
