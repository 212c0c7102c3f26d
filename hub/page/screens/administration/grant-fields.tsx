import type { ReactNode } from "react";
import type { Grant, RoleName } from "../../../src/contract/access.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { administeredPlace } from "../../state/may.ts";
import { useSession } from "../../state/session.ts";
import { SelectField, TextField } from "../../ui/field.tsx";

const roleOptions: readonly (readonly [RoleName, string])[] = [
  ["viewer", "Viewer: sees everything, changes nothing"],
  ["operator", "Operator: releases, policies, syncs, approvals"],
  ["administrator", "Administrator: everything"],
];

/** Where something holds. */
export type PlaceValue = Pick<Grant, "instanceId" | "namespace">;

/** Where who is logged in is administrator: the place to begin with. */
export function useOwnPlace(): PlaceValue {
  return administeredPlace(useSession().grants) ?? { instanceId: null, namespace: null };
}

/** Fields for an instance, or all of them, and there a namespace. */
export function PlaceFields({
  value: { instanceId, namespace },
  onValue,
}: {
  readonly value: PlaceValue;
  readonly onValue: (value: PlaceValue) => void;
}): ReactNode {
  const instances = useAnswer("instances", { query: { limit: 200 } });
  const options = (instances.data?.rows ?? []).map(({ id, name }) => [id, name] as const);
  return (
    <>
      <SelectField
        label="Instance"
        name="instanceId"
        value={instanceId ?? ""}
        options={[["", "All instances"], ...options]}
        onValue={(id) => onValue({ instanceId: id === "" ? null : id, namespace })}
      />
      <TextField
        label="Namespace"
        name="namespace"
        help="Empty: all namespaces."
        value={namespace ?? ""}
        maxLength={253}
        onValue={(text) => onValue({ instanceId, namespace: text === "" ? null : text })}
      />
    </>
  );
}

/** Fields for a role and where it holds. */
export function GrantFields({
  value,
  onValue,
}: {
  readonly value: Grant;
  readonly onValue: (value: Grant) => void;
}): ReactNode {
  return (
    <>
      <SelectField
        label="Role"
        name="role"
        value={value.role}
        options={roleOptions}
        onValue={(role) => onValue({ ...value, role })}
      />
      <PlaceFields value={value} onValue={(place) => onValue({ ...value, ...place })} />
    </>
  );
}
