import type { Step } from "./steps.ts";

/** Where events are reported, which ones, and the reports that wait. The secret of a channel is stored encrypted. */
export const notifications: Step = {
  up: [
    `create table notification_channels (
      id text collate "C" primary key,
      name text collate "C" not null,
      kind text collate "C" not null,
      settings jsonb not null,
      secret text not null,
      enabled boolean not null,
      created_by text collate "C" references users on delete set null,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      last_sent_at timestamptz,
      last_error text not null,
      last_error_at timestamptz
    )`,
    `create unique index notification_channels_name on notification_channels (lower(name))`,
    `create table notification_rules (
      id text collate "C" primary key,
      name text collate "C" not null,
      enabled boolean not null,
      channel_id text collate "C" not null references notification_channels on delete cascade,
      instances text[] not null,
      namespaces text[] not null,
      event_types text[] not null,
      severities text[] not null,
      template text,
      group_by text not null,
      group_seconds integer not null check (group_seconds between 0 and 86400),
      created_by text collate "C" references users on delete set null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`,
    `create index notification_rules_channel on notification_rules (channel_id)`,
    `create table notification_outbox (
      id text collate "C" primary key,
      channel_id text collate "C" not null references notification_channels on delete cascade,
      rule_id text collate "C" references notification_rules on delete cascade,
      instance_id text collate "C" references instances on delete cascade,
      group_key text collate "C" not null,
      dedupe_key text collate "C" not null unique,
      event_ids bigint[] not null,
      payload jsonb not null,
      state text collate "C" not null,
      attempts integer not null,
      due_at timestamptz not null,
      claimed_by text collate "C",
      claimed_until timestamptz,
      created_at timestamptz not null,
      ended_at timestamptz,
      error text not null
    )`,
    `create index notification_outbox_due on notification_outbox (due_at, id) where ended_at is null`,
    `create index notification_outbox_group on notification_outbox (rule_id, group_key) where state = 'pending'`,
    `create index notification_outbox_ended_at on notification_outbox (ended_at)`,
  ],
  down: [
    "drop table notification_outbox",
    "drop table notification_rules",
    "drop table notification_channels",
  ],
};
