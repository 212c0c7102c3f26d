import { type ReactNode, useState } from "react";
import { listed } from "../../text/count.ts";
import { TextField } from "../../ui/field.tsx";
import { RequestDialog } from "./request-dialog.tsx";

/** A policy that's on or off. */
export type PolicyName = "automated" | "locked" | "ignored";

/** Whose policies are changed. */
export interface PolicyTarget {
  readonly instanceId: string;
  readonly workloads: readonly string[];
}

interface Wording {
  readonly verb: string;
  readonly effect: string;
}

const wordings: Readonly<Record<PolicyName, Readonly<Record<"on" | "off", Wording>>>> = {
  automated: {
    on: { verb: "Automate", effect: "New images that the tag filters allow are released by themselves." },
    off: { verb: "Stop automating", effect: "New images are released only on request." },
  },
  locked: {
    on: { verb: "Lock", effect: "No release changes it, unless it’s forced." },
    off: { verb: "Unlock", effect: "Releases change it again." },
  },
  ignored: {
    on: { verb: "Ignore", effect: "Syncs leave it alone." },
    off: { verb: "Stop ignoring", effect: "Syncs make it as in git again." },
  },
};

/** Sets or removes a policy, with a reason. */
export function PolicyDialog({
  target: { instanceId, workloads },
  policy,
  on,
  onClose,
}: {
  readonly target: PolicyTarget;
  readonly policy: PolicyName;
  readonly on: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const [reason, setReason] = useState("");
  const { verb, effect } = wordings[policy][on ? "on" : "off"];
  return (
    <RequestDialog
      title={`${verb} ${listed(workloads, 2)}`}
      instanceId={instanceId}
      spec={{ kind: "policy", workloads: [...workloads], [policy]: on, reason: reason.trim() }}
      submit={verb}
      onClose={onClose}
    >
      <p>{effect}</p>
      <TextField
        label="Reason"
        help={
          policy === "locked" && on ? "Shown with the lock, and in the commit." : "Written into the commit."
        }
        value={reason}
        onValue={setReason}
        maxLength={1_000}
        required={policy === "locked" && on}
      />
    </RequestDialog>
  );
}
