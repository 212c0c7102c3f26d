import type { ReactNode } from "react";
import type { Tone, Toned } from "../text/words.ts";

/** A word with a dot in its color. */
export function Status({ of: { text, tone } }: { readonly of: Toned }): ReactNode {
  return (
    <span className={`status ${tone}`}>
      <span className="dot" aria-hidden="true" />
      {text}
    </span>
  );
}

/** A word in a frame of its color. */
export function Badge({
  tone = "quiet",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}): ReactNode {
  return <span className={`badge ${tone}`}>{children}</span>;
}
