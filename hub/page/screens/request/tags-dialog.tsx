import { type ReactNode, useState } from "react";
import type { Workload } from "../../../src/contract/workloads.ts";
import { TextField } from "../../ui/field.tsx";
import { RequestDialog } from "./request-dialog.tsx";
import { changedTags, tagFilters } from "./tag-filters.ts";

/** Changes which tags of the images of a workload's containers are allowed. */
export function TagsDialog({
  workload,
  onClose,
}: {
  readonly workload: Workload;
  readonly onClose: () => void;
}): ReactNode {
  const { instance, id, name, containers } = workload;
  const [filters, setFilters] = useState(tagFilters(workload));
  const [reason, setReason] = useState("");
  return (
    <RequestDialog
      title={`Tag filters of ${name}`}
      instanceId={instance.id}
      spec={{ kind: "policy", workloads: [id], tags: changedTags(workload, filters), reason: reason.trim() }}
      submit="Change the filters"
      onClose={onClose}
    >
      <p>Only images whose tags a filter allows are released by automation: glob:*, semver:^1, or regexp:…</p>
      {containers.map((container) => (
        <TextField
          key={container.name}
          label={container.name}
          value={filters[container.name] ?? ""}
          onValue={(filter) => setFilters({ ...filters, [container.name]: filter })}
          maxLength={1_000}
          spellCheck={false}
        />
      ))}
      <TextField
        label="Reason"
        help="Written into the commit."
        value={reason}
        onValue={setReason}
        maxLength={1_000}
      />
    </RequestDialog>
  );
}
