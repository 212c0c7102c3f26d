import { type ComponentType, createElement, type ReactNode, useEffect, useState } from "react";
import { FailedScreen } from "../ui/failed-screen.tsx";
import { Skeleton } from "../ui/skeleton.tsx";

/** A component whose code is read when it's first shown, or before. */
export interface OnDemand<Props> {
  (props: Props): ReactNode;
  /** Reads the code. Never rejects: what went wrong is shown by the component. */
  readonly load: () => Promise<void>;
}

/**
 * Makes a component of which the code is in a file of its own. Not with lazy, which draws its fallback first even if the
 * code is there already.
 */
export function onDemand<Props extends object>(read: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let component: ComponentType<Props> | undefined;
  let problem: Error | undefined;
  let reading: Promise<void> | undefined;
  const readOnce = async (): Promise<void> => {
    try {
      component = await read();
    } catch (cause) {
      problem = new Error(
        "The code of this screen can't be loaded: the console can't be reached, or it was upgraded since this page was opened.",
        { cause },
      );
    }
  };
  const load = (): Promise<void> => (reading ??= readOnce());
  const Screen = (props: Props): ReactNode => {
    const [isRead, note] = useState(component !== undefined || problem !== undefined);
    useEffect(() => {
      void load().then(() => note(true));
    }, []);
    if (isRead && component !== undefined) {
      return createElement(component, props);
    }
    // Browsers don't read a file again that failed once.
    return problem === undefined ? (
      <Skeleton lines={8} />
    ) : (
      <FailedScreen error={problem} retry={() => location.reload()} />
    );
  };
  return Object.assign(Screen, { load });
}
