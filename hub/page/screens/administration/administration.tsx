import type { ReactNode } from "react";
import { type AdministrationTab, administrationAt, administrationTabs } from "../../state/addresses.ts";
import { administeredPlace } from "../../state/may.ts";
import { useMay, useSession } from "../../state/session.ts";
import { Empty } from "../../ui/empty.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Approvals } from "./approvals.tsx";
import { AuditLog } from "./audit-log.tsx";
import { Channels } from "./channels.tsx";
import { Deliveries } from "./deliveries.tsx";
import { InstanceAdministration } from "./instance-administration.tsx";
import { Roles } from "./roles.tsx";
import { Rules } from "./rules.tsx";
import { Users } from "./users.tsx";

/** What only administrators do. */
export function Administration({ tab }: { readonly tab: AdministrationTab }): ReactNode {
  const { grants } = useSession();
  const isForAll = useMay("administrator");
  const tabs = administrationTabs.filter(([, , isForParts]) => isForAll || isForParts);
  if (administeredPlace(grants) === undefined || tabs.every(([each]) => each !== tab)) {
    return (
      <>
        <Heading title="Administration" />
        <Empty title="This takes the role of an administrator of all instances." />
      </>
    );
  }
  return (
    <>
      <Heading title="Administration" />
      <Tabs
        label="Parts of the administration"
        tabs={tabs.map(([each, text]) => ({ to: administrationAt(each), text }))}
        current={administrationAt(tab)}
      />
      {tab === "" && <InstanceAdministration />}
      {tab === "users" && <Users />}
      {tab === "roles" && <Roles />}
      {tab === "approvals" && <Approvals />}
      {tab === "notifications" && (
        <>
          <Channels />
          <Rules />
          <Deliveries />
        </>
      )}
      {tab === "audit" && <AuditLog />}
    </>
  );
}
