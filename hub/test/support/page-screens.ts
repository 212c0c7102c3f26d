import type { Fleet } from "./fleet.ts";

/** The screens of the console's page, by name, with an address at which each has something to show. */
export function screensOf(fleet: Fleet): Readonly<Record<string, string>> {
  const workload = fleet.workloads.find(
    ({ newImages, instance, containers, automated, locked, ignored }) =>
      newImages > 0 &&
      instance.id === "instance-1" &&
      containers.length > 1 &&
      automated &&
      !locked &&
      !ignored,
  );
  const id = encodeURIComponent(workload?.id ?? "");
  const at = `/instances/instance-1/workloads/${id}`;
  return {
    instances: "/",
    instance: "/instances/instance-3",
    drift: "/instances/instance-1/drift",
    settings: "/instances/instance-1/settings",
    workloads: "/workloads",
    "workloads of an instance": "/workloads?instance=instance-1",
    workload: at,
    images: `${at}/images`,
    resources: `${at}/resources`,
    diff: `${at}/diff`,
    events: `${at}/events`,
    event: "/events/100000",
    history: `${at}/history`,
    timeline: "/timeline",
    release: `/instances/instance-1/release?workload=${id}`,
    jobs: "/jobs",
    job: "/jobs/job-1",
    account: "/account",
    administration: "/administration",
    users: "/administration/users",
    roles: "/administration/roles",
    approvals: "/administration/approvals",
    notifications: "/administration/notifications",
    audit: "/administration/audit",
    invitation: "/invitation#example-of-a-token",
    nowhere: "/nowhere",
  };
}
