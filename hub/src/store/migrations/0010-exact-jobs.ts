import type { Step } from "./steps.ts";

/** Jobs that do what their plan said, or nothing; those of before did what was found when they were sent. */
export const exactJobs: Step = {
  up: ["alter table jobs add column exact boolean not null default false"],
  down: ["alter table jobs drop column exact"],
};
