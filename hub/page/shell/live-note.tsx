import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { Live, type LiveState } from "../api/live.ts";
import { Icon } from "../ui/icon.tsx";

const texts: Readonly<Record<LiveState, string>> = {
  connecting: "Connecting",
  live: "Live",
  down: "Not live: connecting again",
};

/** Keeps what is shown current, and says whether it is. */
export function LiveNote(): ReactNode {
  const queries = useQueryClient();
  const [live] = useState(() => new Live(queries));
  useEffect(() => live.start(), [live]);
  const state = useSyncExternalStore(live.subscribe, live.state);
  return (
    <p className={`live ${state}`} role="status">
      {state === "down" ? <Icon name="offline" /> : <span className="dot" aria-hidden="true" />}
      {texts[state]}
    </p>
  );
}
