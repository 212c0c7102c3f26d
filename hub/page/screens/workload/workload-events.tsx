import type { ReactNode } from "react";
import { usePages } from "../../api/use-answer.ts";
import type { WorkloadAddress } from "../../state/addresses.ts";
import { Empty } from "../../ui/empty.tsx";
import { List } from "../../ui/list.tsx";
import { EventDays } from "../events/event-days.tsx";

/** What happened to a workload, newest first. */
export function WorkloadEvents({
  address: { instance, workload },
}: {
  readonly address: WorkloadAddress;
}): ReactNode {
  const events = usePages("events", { instance: [instance], workload: [workload], limit: 50 });
  return (
    <List from={events} noun="event" empty={<Empty title="Nothing happened to it yet." />}>
      {(rows) => <EventDays events={rows} />}
    </List>
  );
}
