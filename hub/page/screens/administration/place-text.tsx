import type { ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import type { PlaceValue } from "./grant-fields.tsx";

/** Where something holds, in words. */
export function PlaceText({ place: { instanceId, namespace } }: { readonly place: PlaceValue }): ReactNode {
  const instances = useAnswer("instances", { query: { limit: 200 } }, { enabled: instanceId !== null });
  const name = instances.data?.rows.find(({ id }) => id === instanceId)?.name ?? instanceId;
  return (
    <span className="break">
      {name ?? "All instances"}
      {namespace === null ? "" : ` / ${namespace}`}
    </span>
  );
}
