import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";
import { Heading } from "./heading.tsx";

/** Stands in for a screen that can't be shown; like every screen, it has a heading that screen readers find. */
export function FailedScreen({
  error,
  retry,
}: {
  readonly error: Error;
  readonly retry: () => void;
}): ReactNode {
  return (
    <>
      <Heading title="This can't be shown" />
      <Failure error={error} retry={retry} />
    </>
  );
}
