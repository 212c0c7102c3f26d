import type { ReactNode } from "react";
import { useAnswer } from "../api/use-answer.ts";
import { instanceAt } from "../state/addresses.ts";
import { Icon } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";
import { mostNamed, suspendedInstances } from "./questions.ts";

/** Says on every screen which instances don't work by themselves, and why. */
export function SuspendedBanner(): ReactNode {
  const { data } = useAnswer("instances", suspendedInstances);
  const rows = data?.rows ?? [];
  if (rows.length === 0) {
    return null;
  }
  return (
    <aside className="banner" aria-label="Suspended instances">
      <Icon name="pause" />
      <ul>
        {rows.slice(0, mostNamed).map(({ id, name, syncSuspended, suspendedReason }) => (
          <li key={id}>
            <Link to={instanceAt(id)}>{name}</Link>
            {syncSuspended
              ? " is suspended: nothing is synced."
              : " doesn’t update images by itself: automation is suspended."}
            {suspendedReason !== "" && <q>{suspendedReason}</q>}
          </li>
        ))}
        {rows.length > mostNamed && (
          <li>
            <Link to="/?suspended=true">All suspended instances</Link>
          </li>
        )}
      </ul>
    </aside>
  );
}
