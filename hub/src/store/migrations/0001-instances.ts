import type { Step } from "./steps.ts";

/** Consoles, and the instances of fluxd that connect to them. Names compare by their bytes, alike on every database. */
export const instances: Step = {
  up: [
    `create table consoles (
      id text collate "C" primary key,
      address text not null,
      version text not null,
      started_at timestamptz not null,
      heartbeat_at timestamptz not null
    )`,
    `create table instances (
      id text collate "C" primary key,
      name text collate "C" not null,
      description text not null,
      token_hash text collate "C" unique,
      created_at timestamptz not null,
      removed_at timestamptz
    )`,
    `create unique index instances_name on instances (lower(name)) where removed_at is null`,
    `create table instance_state (
      instance_id text collate "C" primary key references instances on delete cascade,
      connected boolean not null default false,
      console_id text collate "C",
      lease_id text collate "C",
      connected_at timestamptz,
      last_seen_at timestamptz,
      daemon_version text not null default '',
      user_agent text not null default '',
      protocol text not null default '',
      kind text not null default 'flux',
      git_url text not null default '',
      git_branch text not null default '',
      git_path text not null default '',
      git_status text not null default '',
      sync_state text not null default 'unknown',
      last_sync_revision text not null default '',
      last_sync_at timestamptz,
      head_revision text not null default '',
      suspended boolean not null default false,
      suspended_reason text not null default '',
      problem text not null default '',
      workloads_at timestamptz
    )`,
    `create index instance_state_console on instance_state (console_id) where connected`,
  ],
  down: ["drop table instance_state", "drop table instances", "drop table consoles"],
};
