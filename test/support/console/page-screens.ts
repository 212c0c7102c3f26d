import type { Fleet } from "./fleet.ts";

/** The screens of the console's page, by name, with an address at which each has something to show. */
export function screensOf(fleet: Fleet): Readonly<Record<string, string>> {
  const workload = fleet.workloads.find(
    ({ newImages, instance, containers }) =>
      newImages > 0 && instance.id === "instance-1" && containers.length > 1,
  );
  const id = encodeURIComponent(workload?.id ?? "");
  const at = `/instances/instance-1/workloads/${id}`;
  return {
    instances: "/",
    instance: "/instances/instance-3",
    drift: "/instances/instance-1/drift",
    settings: "/instances/instance-1/settings",
    workloads: "/workloads",
    workload: at,
    images: `${at}/images`,
    resources: `${at}/resources`,
    diff: `${at}/diff`,
    events: `${at}/events`,
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
