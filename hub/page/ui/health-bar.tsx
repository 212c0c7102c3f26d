import type { ReactNode } from "react";

/** How many of something are in which state, as a bar with numbers. */
export function HealthBar({
  total,
  degraded,
  progressing,
}: {
  readonly total: number;
  readonly degraded: number;
  readonly progressing: number;
}): ReactNode {
  const parts = [
    { tone: "good", count: total - degraded - progressing, what: "fine" },
    { tone: "busy", count: progressing, what: "progressing" },
    { tone: "bad", count: degraded, what: "degraded" },
  ].filter(({ count }) => count > 0);
  return (
    <span className="health-bar">
      <span className="bar" aria-hidden="true">
        {parts.map(({ tone, count }) => (
          <span key={tone} className={tone} style={{ flexGrow: count }} />
        ))}
      </span>
      <span className="numbers">
        <span className="strong">{total.toLocaleString("en")}</span>
        {parts
          .filter(({ tone }) => tone !== "good")
          .map(({ tone, count, what }) => (
            <span key={tone} className={tone}>
              {`${count.toLocaleString("en")} ${what}`}
            </span>
          ))}
      </span>
    </span>
  );
}
