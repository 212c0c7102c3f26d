import type { Step } from "./steps.ts";

/** Since when daemons are gone, up to where their own logs of events were read, and whether syncing is what's suspended. */
export const presence: Step = {
  up: [
    `alter table instance_state
      add column disconnected_at timestamptz,
      add column gone_since timestamptz,
      add column event_cursor bigint not null default 0,
      add column sync_suspended boolean not null default false`,
  ],
  down: [
    `alter table instance_state
      drop column disconnected_at,
      drop column gone_since,
      drop column event_cursor,
      drop column sync_suspended`,
  ],
};
