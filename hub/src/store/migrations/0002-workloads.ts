import type { Step } from "./steps.ts";

/** The workloads of instances. The words to search for are a list, from which the database makes the index. */
export const workloads: Step = {
  up: [
    `create table workloads (
      instance_id text collate "C" not null references instances on delete cascade,
      id text collate "C" not null,
      namespace text collate "C" not null,
      kind text collate "C" not null,
      name text collate "C" not null,
      status text collate "C" not null,
      health text collate "C" not null,
      rollout jsonb not null,
      ready integer not null,
      desired integer not null,
      automated boolean not null,
      locked boolean not null,
      ignored boolean not null,
      locked_reason text not null,
      read_only text not null,
      policies jsonb not null,
      policy_names text[] not null,
      sync_error text not null,
      antecedent text not null,
      containers jsonb not null,
      images text[] not null,
      new_images integer not null,
      changed_at timestamptz not null,
      digest text not null,
      words text[] not null,
      search tsvector not null generated always as (array_to_tsvector(words)) stored,
      primary key (instance_id, id)
    )`,
    `create index workloads_search on workloads using gin (search)`,
    `create index workloads_images on workloads using gin (images)`,
    `create index workloads_name on workloads (name, instance_id, id)`,
    `create index workloads_namespace on workloads (namespace, name, instance_id, id)`,
  ],
  down: ["drop table workloads"],
};
