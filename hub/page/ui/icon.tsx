import type { ReactNode } from "react";

/** Drawn on a grid of 16 by 16. */
const shapes = {
  instances: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01",
  workloads: "M8 1.8l5.5 3v6.4L8 14.2l-5.5-3V4.8zM2.7 5L8 7.9 13.3 5M8 8v6",
  timeline: "M8 4.5V8l2.3 1.7M14 8A6 6 0 112 8a6 6 0 0112 0z",
  jobs: "M2.5 4.2l1.2 1.2L6 3M2.5 9.8L3.7 11 6 8.6M8.5 4.5h5M8.5 10h5",
  settings:
    "M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 6.2a1.7 1.7 0 100-3.4 1.7 1.7 0 000 3.4zM5.5 13.2a1.7 1.7 0 100-3.4 1.7 1.7 0 000 3.4z",
  user: "M8 8a2.7 2.7 0 100-5.4A2.7 2.7 0 008 8zM2.8 13.8c.6-2.6 2.6-4 5.2-4s4.6 1.4 5.2 4",
  search: "M7 12A5 5 0 107 2a5 5 0 000 10zM10.7 10.7L14 14",
  close: "M3.5 3.5l9 9M12.5 3.5l-9 9",
  check: "M3 8.5l3.3 3.3L13 5",
  down: "M4 6l4 4 4-4",
  right: "M6 4l4 4-4 4",
  left: "M10 4L6 8l4 4",
  lock: "M4 7.5h8v6H4zM5.5 7.5V5a2.5 2.5 0 015 0v2.5",
  robot: "M3.5 6h9v7h-9zM8 6V3M6.2 9h.01M9.8 9h.01M6.5 11h3",
  eyeOff: "M2.5 2.5l11 11M6.3 4A6.5 6.5 0 0114 8a9 9 0 01-1.9 2.4M9.8 11.6A6.5 6.5 0 012 8a9 9 0 012-2.5",
  up: "M8 13V3.5M4 7.3l4-4 4 4",
  sync: "M13.5 8a5.5 5.5 0 01-10 3.1M2.5 8a5.5 5.5 0 0110-3.1M12.7 2v3h-3M3.3 14v-3h3",
  pause: "M5.5 3.5v9M10.5 3.5v9",
  play: "M5 3.2l7.5 4.8L5 12.8z",
  warning: "M8 2.2l6.3 11H1.7zM8 6.5v3M8 11.5h.01",
  error: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 5v3.5M8 11h.01",
  info: "M8 14A6 6 0 108 2a6 6 0 000 12zM8 7.5V11M8 5h.01",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  menu: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
  git: "M4.5 10.5v-5M4.5 5.5a1.5 1.5 0 100-3 1.5 1.5 0 000 3zM4.5 13.5a1.5 1.5 0 100-3 1.5 1.5 0 000 3zM11.5 7a1.5 1.5 0 100-3 1.5 1.5 0 000 3zM11.5 7c0 2.3-4 1.7-6.3 3.7",
  exit: "M6.5 2.5h-4v11h4M10 4.7L13.3 8 10 11.3M6.5 8h6.5",
  plus: "M8 3v10M3 8h10",
  offline:
    "M2.5 2.5l11 11M4 9.5a5 5 0 012.6-2M12 9.5a5 5 0 00-1.3-1.1M1.8 7A8.5 8.5 0 014.5 5M14.2 7a8.6 8.6 0 00-6.9-2.4M8 12.5h.01",
} as const;

/** The name of a drawing. */
export type IconName = keyof typeof shapes;

/** A small drawing beside a text, which says the same. */
export function Icon({ name }: { readonly name: IconName }): ReactNode {
  return (
    <svg className="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}
