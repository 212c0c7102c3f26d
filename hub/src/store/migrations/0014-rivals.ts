import type { Step } from "./steps.ts";

/** Whether two daemons take turns at the connection of one instance. */
export const rivals: Step = {
  up: [
    `alter table instance_state
      add column replaced_since timestamptz,
      add column replaced_at timestamptz,
      add column has_rivals boolean not null default false`,
  ],
  down: [
    `alter table instance_state
      drop column replaced_since,
      drop column replaced_at,
      drop column has_rivals`,
  ],
};
