import type { ReactNode } from "react";
import { Link } from "./link.tsx";

/** A part of a screen, with an address of its own. */
export interface Tab {
  readonly to: string;
  readonly text: string;
  readonly count?: number;
}

/** Links to the parts of a screen. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
}): ReactNode {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ to, text, count }) => (
        <Link key={to} to={to} aria-current={to === current ? "page" : undefined}>
          {text}
          {count !== undefined && count > 0 && <span className="count">{count.toLocaleString("en")}</span>}
        </Link>
      ))}
    </nav>
  );
}
