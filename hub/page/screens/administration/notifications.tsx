import type { ReactNode } from "react";
import { Channels } from "./channels.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Rules } from "./rules.tsx";

/** Where notifications go, which events do, and what was sent. */
export function Notifications(): ReactNode {
  return (
    <>
      <Channels />
      <Rules />
      <Deliveries />
    </>
  );
}
