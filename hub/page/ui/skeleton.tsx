import type { ReactNode } from "react";

/** Gray lines where a text will be. */
export function Skeleton({ lines }: { readonly lines: number }): ReactNode {
  return (
    <div className="skeleton" role="status">
      <span className="hidden">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="line" aria-hidden="true" />
      ))}
    </div>
  );
}
