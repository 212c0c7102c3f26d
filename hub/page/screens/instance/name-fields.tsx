import type { ReactNode } from "react";
import { TextField } from "../../ui/field.tsx";

/** What an instance is called. */
export interface InstanceNames {
  readonly name: string;
  readonly description: string;
}

/** Fields for the name and description of an instance. */
export function NameFields({
  value,
  onValue,
}: {
  readonly value: InstanceNames;
  readonly onValue: (value: InstanceNames) => void;
}): ReactNode {
  return (
    <>
      <TextField
        label="Name"
        name="name"
        help="Such as the cluster’s: production-eu."
        value={value.name}
        onValue={(name) => onValue({ ...value, name })}
        maxLength={100}
        required
      />
      <TextField
        label="Description"
        name="description"
        value={value.description}
        onValue={(description) => onValue({ ...value, description })}
        maxLength={1_000}
      />
    </>
  );
}
