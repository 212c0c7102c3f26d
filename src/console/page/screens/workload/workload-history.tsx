import type { ReactNode } from "react";
import { usePages } from "../../api/use-answer.ts";
import type { WorkloadAddress } from "../../state/addresses.ts";
import { Empty } from "../../ui/empty.tsx";
import { List } from "../../ui/list.tsx";
import { Section } from "../../ui/section.tsx";
import { EventDays } from "../events/event-days.tsx";
import { changesInGit } from "../events/event-types.ts";
import { JobTable } from "../jobs/job-table.tsx";

/** Who changed a workload, and how: requests made here, and commits. */
export function WorkloadHistory({
  address: { instance, workload },
}: {
  readonly address: WorkloadAddress;
}): ReactNode {
  const jobs = usePages("jobs", { instance: [instance], workload: [workload], limit: 20 });
  const events = usePages("events", {
    instance: [instance],
    workload: [workload],
    type: [...changesInGit],
    limit: 50,
  });
  return (
    <>
      <Section title="Requested here">
        <List from={jobs} noun="job" empty={<Empty title="Nothing was requested for it." />}>
          {(rows) => <JobTable jobs={rows} withInstance={false} />}
        </List>
      </Section>
      <Section title="Commits and policies">
        <List from={events} noun="event" empty={<Empty title="No commit changed it yet." />}>
          {(rows) => <EventDays events={rows} />}
        </List>
      </Section>
    </>
  );
}
