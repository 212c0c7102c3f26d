import { type ReactNode, useState } from "react";
import { useChange } from "../../api/use-answer.ts";
import { jobAt } from "../../state/addresses.ts";
import { navigate } from "../../state/use-location.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Form } from "../../ui/form.tsx";
import { PlanPreview, usePlan } from "./plan-preview.tsx";
import type { SentSpec } from "./planned-spec.ts";

/** Requests a job: says what it would do, and then opens it. */
export function RequestDialog({
  title,
  instanceId,
  spec,
  submit,
  look = "primary",
  onClose,
  children,
}: {
  readonly title: string;
  readonly instanceId: string;
  readonly spec: SentSpec;
  readonly submit: string;
  readonly look?: "primary" | "danger";
  readonly onClose: () => void;
  readonly children: ReactNode;
}): ReactNode {
  const plan = usePlan(instanceId, spec);
  const request = useChange("createJob");
  const [idempotencyKey] = useState(newKey);
  const needsApproval = plan.data?.needsApproval === true;
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={needsApproval ? "Ask for approval" : submit}
        look={look}
        busy={request.isPending}
        error={request.error}
        disabled={plan.data === undefined || plan.isPlaceholderData}
        onCancel={onClose}
        onSubmit={() =>
          request.mutate(
            {
              params: { instance: instanceId },
              body: { spec, idempotencyKey, planDigest: plan.data?.digest ?? "" },
            },
            { onSuccess: ({ id }) => navigate(jobAt(id)) },
          )
        }
      >
        {children}
        <PlanPreview from={plan} />
      </Form>
    </Dialog>
  );
}

/** A key under which a request counts only once, also if it has to be sent again. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join("-");
}
