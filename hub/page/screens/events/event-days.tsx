import type { ReactNode } from "react";
import type { ConsoleEvent } from "../../../src/contract/events.ts";
import { useNow } from "../../state/use-now.ts";
import { byDay } from "../../text/timeline.ts";
import { EventList } from "./event-list.tsx";

/** Events by day, newest first. */
export function EventDays({
  events,
  withInstance = false,
}: {
  readonly events: readonly ConsoleEvent[];
  readonly withInstance?: boolean;
}): ReactNode {
  const now = useNow();
  return byDay(events, now).map(({ name, rows }) => (
    <section key={name} className="day" aria-label={name}>
      <h2>{name}</h2>
      <EventList events={rows} withInstance={withInstance} />
    </section>
  ));
}
