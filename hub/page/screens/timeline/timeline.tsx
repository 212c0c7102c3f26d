import type { ReactNode } from "react";
import { useAnswer, usePages } from "../../api/use-answer.ts";
import { useFilters } from "../../state/use-location.ts";
import { type Choice, Choices } from "../../ui/choices.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Link } from "../../ui/link.tsx";
import { List } from "../../ui/list.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { EventDays } from "../events/event-days.tsx";
import { eventTypes } from "../events/event-types.ts";
import { InstanceChoices } from "../instances/instance-choices.tsx";
import { timelineFilters, timelineQueryOf } from "./timeline-filters.ts";

const types: readonly Choice[] = eventTypes.map((value) => ({ value, text: value }));

const severities: readonly Choice[] = [
  { value: "error", text: "Errors" },
  { value: "warning", text: "Warnings" },
  { value: "info", text: "Information" },
];

/** Everything that happened, newest first. */
export function Timeline(): ReactNode {
  const [values, set] = useFilters(timelineFilters);
  const { q, instance, type, severity, namespace, since, until } = values;
  const facets = useAnswer(
    "workloadFacets",
    { query: { ...(instance.length === 0 ? {} : { instance: [...instance] }) } },
    { keep: true },
  );
  const events = usePages("events", timelineQueryOf(values));
  return (
    <>
      <Heading title="Timeline" />
      <div className="filters">
        <SearchBox label="Search events" value={q} onValue={(next) => set({ q: next })} />
        <InstanceChoices chosen={instance} onChange={(chosen) => set({ instance: chosen })} />
        <Choices
          label="Namespace"
          choices={(facets.data?.namespaces ?? []).map(({ name }) => ({ value: name, text: name }))}
          chosen={namespace}
          onChange={(chosen) => set({ namespace: chosen })}
        />
        <Choices label="Type" choices={types} chosen={type} onChange={(chosen) => set({ type: chosen })} />
        <Choices
          label="Severity"
          choices={severities}
          chosen={severity}
          onChange={(chosen) =>
            set({ severity: timelineFilters.severity.values.filter((each) => chosen.includes(each)) })
          }
        />
        <DayField label="From" value={since} onValue={(next) => set({ since: next })} />
        <DayField label="To" value={until} onValue={(next) => set({ until: next })} />
      </div>
      <List
        from={events}
        noun="event"
        empty={
          <Empty title="Nothing happened that matches.">
            <p>
              <Link to="/timeline">Show everything</Link>
            </p>
          </Empty>
        }
      >
        {(rows) => <EventDays events={rows} withInstance />}
      </List>
    </>
  );
}

function DayField({
  label,
  value,
  onValue,
}: {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
}): ReactNode {
  return (
    <label className="day-field">
      {label}
      <input type="date" value={value} onChange={({ target }) => onValue(target.value)} />
    </label>
  );
}
