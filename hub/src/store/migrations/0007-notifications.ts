import type { Step } from "./steps.ts";

/**
 * Where events are reported, which ones, and the messages that wait. The secrets of a channel are stored encrypted. A
 * channel is claimed by one console at a time, which keeps its messages in order.
 */
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
      claimed_by text collate "C",
      claimed_until timestamptz,
      failures integer not null,
      retry_at timestamptz,
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
      title text not null,
      body text not null,
      group_by text[] not null,
      group_seconds integer not null check (group_seconds between 0 and 86400),
      created_by text collate "C" references users on delete set null,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`,
    `create index notification_rules_channel on notification_rules (channel_id)`,
    `create table notification_outbox (
      id text collate "C" primary key,
      channel_id text collate "C" not null references notification_channels on delete cascade,
      rule_id text collate "C" not null references notification_rules on delete cascade,
      group_key text collate "C" not null,
      event_ids bigint[] not null,
      state text collate "C" not null,
      attempts integer not null,
      due_at timestamptz not null,
      created_at timestamptz not null,
      ended_at timestamptz,
      result text not null
    )`,
    `create index notification_outbox_due on notification_outbox (channel_id, due_at, id) where ended_at is null`,
    `create index notification_outbox_group on notification_outbox (group_key, created_at)`,
    `create index notification_outbox_rule on notification_outbox (rule_id)`,
    `create index notification_outbox_ended_at on notification_outbox (ended_at)`,
  ],
  down: [
    "drop table notification_outbox",
    "drop table notification_rules",
    "drop table notification_channels",
  ],
};
