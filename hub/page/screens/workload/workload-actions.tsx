import { type ReactNode, useState } from "react";
import type { Workload } from "../../../src/contract/workloads.ts";
import { releaseAt } from "../../state/addresses.ts";
import { useMay } from "../../state/session.ts";
import { navigate } from "../../state/use-location.ts";
import { Button } from "../../ui/button.tsx";
import type { IconName } from "../../ui/icon.tsx";
import { Popup } from "../../ui/popup.tsx";
import { PolicyDialog, type PolicyName } from "../request/policy-dialog.tsx";
import { TagsDialog } from "../request/tags-dialog.tsx";

const entries: readonly (readonly [PolicyName, IconName, on: string, off: string])[] = [
  ["automated", "robot", "Automate", "Stop automating"],
  ["locked", "lock", "Lock", "Unlock"],
  ["ignored", "eyeOff", "Ignore in syncs", "Stop ignoring"],
];

/** What can be done with a workload. */
export function WorkloadActions({ workload }: { readonly workload: Workload }): ReactNode {
  const { instance, id, namespace, readOnly } = workload;
  const mayOperate = useMay("operator", { instanceId: instance.id, namespace });
  const [policy, setPolicy] = useState<PolicyName>();
  const [showsTags, setShowsTags] = useState(false);
  if (!mayOperate) {
    return null;
  }
  const isFixed = readOnly !== "";
  return (
    <>
      <Popup label="Policies" icon="settings" align="end">
        {(close) => (
          <ul className="menu">
            {entries.map(([name, icon, on, off]) => (
              <li key={name}>
                <Button
                  look="quiet"
                  icon={icon}
                  disabled={isFixed}
                  onClick={() => {
                    close();
                    setPolicy(name);
                  }}
                >
                  {workload[name] ? off : on}
                </Button>
              </li>
            ))}
            <li>
              <Button
                look="quiet"
                icon="search"
                disabled={isFixed}
                onClick={() => {
                  close();
                  setShowsTags(true);
                }}
              >
                Tag filters
              </Button>
            </li>
          </ul>
        )}
      </Popup>
      <Button
        look="primary"
        icon="up"
        disabled={isFixed}
        title={isFixed ? readOnly : undefined}
        onClick={() => navigate(releaseAt({ instance: instance.id, workloads: [id] }))}
      >
        Release
      </Button>
      {showsTags && <TagsDialog workload={workload} onClose={() => setShowsTags(false)} />}
      {policy !== undefined && (
        <PolicyDialog
          target={{ instanceId: instance.id, workloads: [id] }}
          policy={policy}
          on={!workload[policy]}
          onClose={() => setPolicy(undefined)}
        />
      )}
    </>
  );
}
