import type { ReactNode } from "react";
import { useAnswer, usePages } from "../../api/use-answer.ts";
import type { WorkloadAddress } from "../../state/addresses.ts";
import { shortRevision } from "../../text/image.ts";
import { Empty } from "../../ui/empty.tsx";
import { List } from "../../ui/list.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";
import { EventDays } from "../events/event-days.tsx";
import { changesInGit } from "../events/event-types.ts";
import { JobTable } from "../jobs/job-table.tsx";

/** Who changed a workload, and how: requests made here, and commits. */
export function WorkloadHistory({ address }: { readonly address: WorkloadAddress }): ReactNode {
  const { instance, workload } = address;
  const jobs = usePages("jobs", { instance: [instance], workload: [workload], limit: 20 });
  const from = useAnswer("instance", { params: { instance } });
  return (
    <>
      <Section title="Requested here">
        <List from={jobs} noun="job" empty={<Empty title="Nothing was requested for it." />}>
          {(rows) => <JobTable jobs={rows} withInstance={false} />}
        </List>
      </Section>
      <Section title="In git">
        <Loaded from={from}>
          {({ daemon, connected }) =>
            daemon.kind === "weir" && connected ? (
              <Commits address={address} />
            ) : (
              <ToldChanges address={address} />
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

/** What the daemon finds in git: every commit, whoever made it. */
function Commits({ address }: { readonly address: WorkloadAddress }): ReactNode {
  const history = useAnswer("workloadHistory", {
    params: { instance: address.instance, workload: address.workload },
    query: { limit: 100 },
  });
  return (
    <Loaded from={history}>
      {({ rows }) =>
        rows.length === 0 ? (
          <Empty title="No commit changed it yet." />
        ) : (
          <Table columns={["Change", "Who", "When"]}>
            {rows.map(({ kind, at, user, revision, message }) => (
              <tr key={`${revision} ${kind} ${at}`}>
                <th scope="row" className="break" data-label="Change">
                  {message}
                  <span className="under">
                    {kind} <code>{shortRevision(revision)}</code>
                  </span>
                </th>
                <td className="break" data-label="Who">
                  {user}
                </td>
                <td data-label="When">
                  <When at={at} />
                </td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}

/** What a daemon of Flux v1 has told of its own commits. */
function ToldChanges({ address: { instance, workload } }: { readonly address: WorkloadAddress }): ReactNode {
  const events = usePages("events", {
    instance: [instance],
    workload: [workload],
    type: [...changesInGit],
    limit: 50,
  });
  return (
    <List from={events} noun="event" empty={<Empty title="No commit changed it yet." />}>
      {(rows) => <EventDays events={rows} />}
    </List>
  );
}
