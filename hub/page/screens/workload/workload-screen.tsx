import type { ReactNode } from "react";
import { useAnswer, usePages } from "../../api/use-answer.ts";
import {
  instanceAt,
  type WorkloadAddress,
  type WorkloadTab,
  workloadAt,
  workloadTabs,
} from "../../state/addresses.ts";
import { healthWords } from "../../text/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";
import { List } from "../../ui/list.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { EventDays } from "../events/event-days.tsx";
import { Comparison } from "./comparison.tsx";
import { Images } from "./images.tsx";
import { Resources } from "./resources.tsx";
import { WorkloadActions } from "./workload-actions.tsx";
import { WorkloadHistory } from "./workload-history.tsx";
import { WorkloadOverview } from "./workload-overview.tsx";

const texts: Readonly<Record<WorkloadTab, string>> = {
  "": "Overview",
  images: "Images",
  resources: "Resources",
  diff: "Diff",
  events: "Events",
  history: "History",
};

/** One workload. */
export function WorkloadScreen({
  instance,
  workload: id,
  tab,
}: WorkloadAddress & { readonly tab: WorkloadTab }): ReactNode {
  const address = { instance, workload: id };
  const answer = useAnswer("workload", { params: address });
  return (
    <Loaded from={answer} isScreen>
      {(workload) => (
        <>
          <Heading
            title={workload.name}
            above={
              <>
                <Link to={instanceAt(instance)}>{workload.instance.name}</Link> /{" "}
                <Link
                  to={`/workloads?${new URLSearchParams({ instance, namespace: workload.namespace }).toString()}`}
                >
                  {workload.namespace}
                </Link>{" "}
                / {workload.kind}
              </>
            }
            note={<Badge tone={healthWords[workload.health].tone}>{healthWords[workload.health].text}</Badge>}
          >
            <WorkloadActions workload={workload} />
          </Heading>
          {!workload.instance.connected && (
            <p className="note-line warning">
              <Icon name="offline" />
              {`${workload.instance.name} isn’t connected: this is what was last known.`}
            </p>
          )}
          <Tabs
            label="Parts of the workload"
            tabs={workloadTabs.map((each) => ({
              to: workloadAt(address, each),
              text: texts[each],
              ...(each === "images" ? { count: workload.newImages } : {}),
            }))}
            current={workloadAt(address, tab)}
          />
          {tab === "" && <WorkloadOverview workload={workload} />}
          {tab === "images" && <Images workload={workload} />}
          {tab === "resources" && <Resources address={address} />}
          {tab === "diff" && <Comparison address={address} />}
          {tab === "events" && <WorkloadEvents address={address} />}
          {tab === "history" && <WorkloadHistory address={address} />}
        </>
      )}
    </Loaded>
  );
}

/** What happened to a workload, newest first. */
function WorkloadEvents({
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
