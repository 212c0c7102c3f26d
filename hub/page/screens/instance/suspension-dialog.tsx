import { type ReactNode, useState } from "react";
import type { Instance } from "../../../src/contract/instances.ts";
import { useChange } from "../../api/use-answer.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useNotice } from "../../ui/notices.tsx";

/** Suspends an instance, with a reason for everyone, or resumes it. */
export function SuspensionDialog({
  instance: { id, name, suspended, suspendedReason },
  onClose,
}: {
  readonly instance: Instance;
  readonly onClose: () => void;
}): ReactNode {
  const suspend = useChange("suspend");
  const notice = useNotice();
  const [reason, setReason] = useState("");
  const body = suspended ? { suspended: false } : { suspended: true, reason };
  return (
    <Dialog title={suspended ? `Resume ${name}` : `Suspend ${name}`} onClose={onClose}>
      <Form
        submit={suspended ? "Resume" : "Suspend"}
        busy={suspend.isPending}
        error={suspend.error}
        onCancel={onClose}
        onSubmit={() =>
          suspend.mutate(
            { params: { instance: id }, body },
            {
              onSuccess: () => {
                notice(suspended ? `${name} works by itself again.` : `${name} is suspended.`);
                onClose();
              },
            },
          )
        }
      >
        {suspended ? (
          <>
            <p>Commits are synced, and automation goes on, as configured.</p>
            {suspendedReason !== "" && <p className="help">{`What is suspended: ${suspendedReason}`}</p>}
          </>
        ) : (
          <>
            <p>Nothing is synced, and automation changes nothing, until it’s resumed.</p>
            <TextField
              label="Reason"
              help="Shown to everyone on every page."
              value={reason}
              onValue={setReason}
              maxLength={500}
              required
            />
          </>
        )}
      </Form>
    </Dialog>
  );
}
