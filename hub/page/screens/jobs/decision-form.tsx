import { type ReactNode, useState } from "react";
import type { Job } from "../../../src/contract/jobs.ts";
import { useChange } from "../../api/use-answer.ts";
import { useMayReach, useSession } from "../../state/session.ts";
import { jobResources } from "../../text/job-resources.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/failure.tsx";
import { AreaField } from "../../ui/field.tsx";
import { useNotice } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";

/** Approves or rejects what somebody else requested: exactly the plan that is shown, if its daemon can say what that is. */
export function DecisionForm({ job }: { readonly job: Job }): ReactNode {
  const { user } = useSession();
  const mayOperate = useMayReach("operator", job.instance.id, jobResources(job));
  const decide = useChange("decideJob");
  const notice = useNotice();
  const [comment, setComment] = useState("");
  const isOwn = job.requestedBy === user.login;
  if (!mayOperate || isOwn) {
    return (
      <Section title="Approval">
        <p className="padded">
          {isOwn
            ? "Somebody else has to approve it."
            : "Somebody with the role of an operator has to approve it."}
        </p>
      </Section>
    );
  }
  const send = (decision: "approve" | "reject"): void =>
    decide.mutate(
      {
        params: { job: job.id },
        body: { decision, planDigest: job.plan?.digest ?? "", comment: comment.trim() },
      },
      { onSuccess: () => notice(decision === "approve" ? "Approved." : "Rejected.") },
    );
  return (
    <Section title="Approval">
      <div className="form padded">
        <p>
          {job.plan?.isKnown === false
            ? "The daemon can't say what this does: you approve that whatever is in git by then is applied."
            : "What you approve is exactly the plan below. If it changes before it's done, nothing is done."}
        </p>
        <AreaField label="Comment" value={comment} onValue={setComment} rows={2} />
        {decide.error !== null && <Failure error={decide.error} />}
        <div className="actions">
          <Button look="danger" busy={decide.isPending} onClick={() => send("reject")}>
            Reject
          </Button>
          <Button look="primary" icon="check" busy={decide.isPending} onClick={() => send("approve")}>
            Approve
          </Button>
        </div>
      </div>
    </Section>
  );
}
