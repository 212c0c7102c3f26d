import type { Step } from "./steps.ts";

/**
 * Up to which event all were compared with the rules of notifications, in one row. A time in each event made PostgreSQL
 * write every event twice, in all of its indexes.
 */
export const dispatchProgress: Step = {
  up: [
    `create table dispatch_progress (
      only_row boolean primary key default true check (only_row),
      last_event_id bigint not null
    )`,
    `insert into dispatch_progress (last_event_id) select coalesce(
      (select min(id) - 1 from events where dispatched_at is null), (select max(id) from events), 0)`,
    `drop index events_undispatched`,
    `alter table events drop column dispatched_at`,
  ],
  down: [
    `alter table events add column dispatched_at timestamptz`,
    `update events set dispatched_at = received_at
      where id <= (select last_event_id from dispatch_progress)`,
    `create index events_undispatched on events (id) where dispatched_at is null`,
    `drop table dispatch_progress`,
  ],
};
