import type { ReactNode } from "react";
import type { JobState } from "../../../src/contract/jobs.ts";
import { usePages } from "../../api/use-answer.ts";
import { useFilters } from "../../state/use-location.ts";
import { Empty } from "../../ui/empty.tsx";
import { Heading } from "../../ui/heading.tsx";
import { List } from "../../ui/list.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { JobTable } from "./job-table.tsx";

const filters = {
  q: { kind: "text" },
  show: { kind: "choice", values: ["all", "waiting", "open", "failed"], otherwise: "all" },
} as const;

type Show = (typeof filters.show.values)[number];

const shows: readonly (readonly [Show, string])[] = [
  ["all", "All"],
  ["waiting", "Waiting for approval"],
  ["open", "In progress"],
  ["failed", "Failed"],
];

const statesOf: Readonly<Record<Show, JobState[]>> = {
  all: [],
  waiting: ["waiting-for-approval"],
  open: ["queued", "sent", "running"],
  failed: ["failed", "lost"],
};

/** What was requested, newest first; and what waits for somebody's approval. */
export function Jobs(): ReactNode {
  const [{ q, show }, set] = useFilters(filters);
  const state = statesOf[show];
  const jobs = usePages("jobs", {
    limit: 50,
    ...(q === "" ? {} : { q }),
    ...(state.length === 0 ? {} : { state }),
  });
  return (
    <>
      <Heading title="Jobs" />
      <div className="filters">
        <SearchBox label="Search jobs" value={q} onValue={(next) => set({ q: next })} />
      </div>
      <div className="segments" role="group" aria-label="Which jobs to show">
        {shows.map(([value, text]) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === show}
            onClick={() => set({ show: value })}
          >
            {text}
          </button>
        ))}
      </div>
      <List
        from={jobs}
        noun="job"
        empty={
          <Empty
            title={
              q !== "" ? "No job matches." : show === "waiting" ? "Nothing waits for approval." : "No jobs."
            }
          />
        }
      >
        {(rows) => <JobTable jobs={rows} />}
      </List>
    </>
  );
}
