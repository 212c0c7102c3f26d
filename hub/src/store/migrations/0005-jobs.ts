import type { Step } from "./steps.ts";

/** What people asked daemons to do. The key of a request makes a repeated one find the job of the first. */
export const jobs: Step = {
  up: [
    `create table jobs (
      id text collate "C" primary key,
      instance_id text collate "C" not null references instances on delete cascade,
      idempotency_key text collate "C" not null,
      kind text collate "C" not null,
      request jsonb not null,
      state text collate "C" not null,
      spec jsonb not null,
      workload_ids text[] not null,
      namespaces text[] not null,
      summary text not null,
      plan jsonb,
      plan_digest text not null,
      requested_by text collate "C" references users on delete set null,
      requested_by_name text not null,
      requested_at timestamptz not null,
      decided_by text collate "C" references users on delete set null,
      decided_by_name text not null,
      decided_at timestamptz,
      decision_comment text not null,
      claimed_by text collate "C",
      lease_id text collate "C",
      sent_at timestamptz,
      daemon_job_id text collate "C" not null,
      ended_at timestamptz,
      revision text not null,
      result jsonb,
      error text not null,
      unique (instance_id, idempotency_key)
    )`,
    `create index jobs_requested_at on jobs (requested_at desc, id desc)`,
    `create index jobs_open on jobs (instance_id, state, id) where ended_at is null`,
    `create index jobs_ended_at on jobs (ended_at)`,
    `create index jobs_workload_ids on jobs using gin (workload_ids)`,
  ],
  down: ["drop table jobs"],
};
