import type { ReactNode } from "react";
import { useAnswer } from "../api/use-answer.ts";
import { administrationAt } from "../state/addresses.ts";
import { administeredPlace } from "../state/may.ts";
import { useMay, useSession } from "../state/session.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { Link } from "../ui/link.tsx";
import { mostWaiting, waitingJobs } from "./questions.ts";

interface Entry {
  readonly to: string;
  readonly text: string;
  readonly icon: IconName;
  /** What the paths of its screens look like. */
  readonly covers: RegExp;
}

const entries: readonly Entry[] = [
  {
    to: "/",
    text: "Instances",
    icon: "instances",
    covers: /^\/(instances)?$|^\/instances\/[^/]+(\/(?!workloads)|$)/,
  },
  { to: "/workloads", text: "Workloads", icon: "workloads", covers: /^\/workloads|\/workloads\// },
  { to: "/timeline", text: "Timeline", icon: "timeline", covers: /^\/timeline/ },
  { to: "/jobs", text: "Jobs", icon: "jobs", covers: /^\/jobs/ },
];

const administration: Omit<Entry, "to"> = {
  text: "Administration",
  icon: "settings",
  covers: /^\/administration/,
};

/** The way to the screens. */
export function Navigation({ path }: { readonly path: string }): ReactNode {
  const { grants } = useSession();
  const isForAll = useMay("administrator");
  const { data } = useAnswer("jobs", waitingJobs);
  const waiting = data?.rows.length ?? 0;
  const shown =
    administeredPlace(grants) === undefined
      ? entries
      : [...entries, { ...administration, to: administrationAt(isForAll ? "" : "roles") }];
  return (
    <nav className="navigation" aria-label="Main">
      {shown.map(({ to, text, icon, covers }) => (
        <Link key={to} to={to} aria-current={covers.test(path) ? "page" : undefined}>
          <Icon name={icon} />
          {text}
          {to === "/jobs" && waiting > 0 && (
            <span className="count" title="Waiting for approval">
              {waiting === mostWaiting ? `${waiting}+` : waiting}
              <span className="hidden"> waiting for approval</span>
            </span>
          )}
        </Link>
      ))}
    </nav>
  );
}
