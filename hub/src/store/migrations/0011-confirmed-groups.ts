import type { Step } from "./steps.ts";

/** Until when the groups of a user count. Those of before were named at the last login, and count for a day after it. */
export const confirmedGroups: Step = {
  up: [
    "alter table users add column groups_until timestamptz",
    "update users set groups_until = last_login_at + interval '1 day' where groups <> '{}'",
  ],
  down: ["alter table users drop column groups_until"],
};
