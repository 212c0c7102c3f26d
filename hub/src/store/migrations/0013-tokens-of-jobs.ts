import type { Step } from "./steps.ts";

/**
 * With which API tokens jobs were requested and approved; null for sessions. They reference nothing: a token that doesn't
 * exist any more must not look like none.
 */
export const tokensOfJobs: Step = {
  up: [
    `alter table jobs
      add column requested_token_id text collate "C",
      add column decided_token_id text collate "C"`,
  ],
  down: ["alter table jobs drop column requested_token_id, drop column decided_token_id"],
};
