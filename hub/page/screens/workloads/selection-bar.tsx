import { type ReactNode, useState } from "react";
import type { Workload } from "../../../src/contract/workloads.ts";
import { releaseAt } from "../../state/addresses.ts";
import { useMayReach } from "../../state/session.ts";
import { navigate } from "../../state/use-location.ts";
import { counted } from "../../text/count.ts";
import { Button } from "../../ui/button.tsx";
import { PolicyDialog, type PolicyName } from "../request/policy-dialog.tsx";

/** What can be done with the workloads that are selected. */
export function SelectionBar({
  rows,
  onClear,
}: {
  readonly rows: readonly Workload[];
  readonly onClear: () => void;
}): ReactNode {
  const instance = rows[0]?.instance;
  if (instance === undefined) {
    return null;
  }
  const isOne = rows.every((row) => row.instance.id === instance.id);
  return (
    <div className="selection" role="region" aria-label="Selected workloads">
      <p className="strong">{`${counted(rows.length, "workload")} selected`}</p>
      {isOne ? (
        <SelectionActions instanceId={instance.id} workloads={rows.map(({ id }) => id)} />
      ) : (
        <p>Choose workloads of one instance to change them together.</p>
      )}
      <Button look="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}

function SelectionActions({
  instanceId,
  workloads,
}: {
  readonly instanceId: string;
  readonly workloads: readonly string[];
}): ReactNode {
  const mayOperate = useMayReach("operator", instanceId, workloads);
  const [policy, setPolicy] = useState<PolicyName>();
  if (!mayOperate) {
    return <p>Changing all of them takes the role of an operator in their namespaces.</p>;
  }
  return (
    <>
      <Button
        look="primary"
        icon="up"
        onClick={() => navigate(releaseAt({ instance: instanceId, workloads }))}
      >
        Release
      </Button>
      <Button icon="robot" onClick={() => setPolicy("automated")}>
        Automate
      </Button>
      <Button icon="lock" onClick={() => setPolicy("locked")}>
        Lock
      </Button>
      {policy !== undefined && (
        <PolicyDialog
          target={{ instanceId, workloads }}
          policy={policy}
          on={true}
          onClose={() => setPolicy(undefined)}
        />
      )}
    </>
  );
}
