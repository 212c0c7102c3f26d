import { type ReactNode, useState } from "react";
import type { Job } from "../../../src/contract/jobs.ts";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { instanceAt } from "../../state/addresses.ts";
import { useMayReach } from "../../state/session.ts";
import { shortRevision } from "../../text/image.ts";
import { jobResources } from "../../text/job-resources.ts";
import { jobKinds, jobWords } from "../../text/words.ts";
import { Badge, Status } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Failure } from "../../ui/failure.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Link } from "../../ui/link.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { useNotice } from "../../ui/notices.tsx";
import { Section } from "../../ui/section.tsx";
import { When } from "../../ui/when.tsx";
import { PlanTable } from "../request/plan-table.tsx";
import { RequestDialog } from "../request/request-dialog.tsx";
import { DecisionForm } from "./decision-form.tsx";

/** One job: what it does, how it goes, and who decides about it. */
export function JobScreen({ job: id }: { readonly job: string }): ReactNode {
  const answer = useAnswer("job", { params: { job: id } });
  return (
    <Loaded from={answer} isScreen>
      {(job) => (
        <>
          <Heading
            title={job.summary === "" ? jobKinds[job.spec.kind] : job.summary}
            above={
              <>
                <Link to="/jobs">Jobs</Link> /{" "}
                <Link to={instanceAt(job.instance.id)}>{job.instance.name}</Link>
              </>
            }
            note={<Badge tone={jobWords[job.state].tone}>{jobWords[job.state].text}</Badge>}
          >
            <JobActions job={job} />
          </Heading>
          {job.error !== "" && (
            <p className="failure">
              <Icon name="error" />
              <span className="break">{job.error}</span>
            </p>
          )}
          {job.state === "waiting-for-approval" && <DecisionForm job={job} />}
          <Section title="State">
            <JobFacts job={job} />
          </Section>
          {job.plan !== null && (
            <Section title="Plan">
              <PlanTable plan={job.plan} />
            </Section>
          )}
        </>
      )}
    </Loaded>
  );
}

function JobFacts({ job }: { readonly job: Job }): ReactNode {
  const { state, spec, requestedBy, requestedAt, decidedBy, decidedAt, decisionComment, endedAt, revision } =
    job;
  return (
    <Facts
      rows={[
        ["State", <Status key="state" of={jobWords[state]} />],
        ["Kind", jobKinds[spec.kind]],
        [
          "Requested",
          <span key="requested" className="break">
            {requestedBy} <When at={requestedAt} />
          </span>,
        ],
        ...(decidedAt === null
          ? []
          : [
              [
                state === "rejected" ? "Rejected" : "Approved",
                <span key="decided" className="break">
                  {decidedBy} <When at={decidedAt} />
                  {decisionComment !== "" && <q>{decisionComment}</q>}
                </span>,
              ] as const,
            ]),
        ...(endedAt === null ? [] : [["Ended", <When key="ended" at={endedAt} />] as const]),
        ...(revision === ""
          ? []
          : [["Commit", <code key="revision">{shortRevision(revision)}</code>] as const]),
        ...(spec.kind === "release" && spec.message !== "" ? [["Message", spec.message] as const] : []),
        ...(spec.kind === "policy" && spec.reason !== "" ? [["Reason", spec.reason] as const] : []),
      ]}
    />
  );
}

function JobActions({ job }: { readonly job: Job }): ReactNode {
  const { id, state, instance, revision, spec } = job;
  const mayOperate = useMayReach("operator", instance.id, jobResources(job));
  const cancel = useChange("cancelJob");
  const notice = useNotice();
  const [undoes, setUndoes] = useState(false);
  const isOpen = state === "waiting-for-approval" || state === "queued";
  const canUndo =
    state === "succeeded" && revision !== "" && (spec.kind === "release" || spec.kind === "policy");
  if (!mayOperate) {
    return null;
  }
  return (
    <>
      {cancel.error !== null && <Failure error={cancel.error} />}
      {isOpen && (
        <Button
          busy={cancel.isPending}
          onClick={() => cancel.mutate({ params: { job: id } }, { onSuccess: () => notice("Cancelled.") })}
        >
          Cancel
        </Button>
      )}
      {canUndo && <Button onClick={() => setUndoes(true)}>Undo</Button>}
      {undoes && (
        <RequestDialog
          title="Undo"
          instanceId={instance.id}
          spec={{ kind: "undo", revision }}
          submit="Undo"
          onClose={() => setUndoes(false)}
        >
          <p>{`Reverts commit ${shortRevision(revision)} in git, and syncs.`}</p>
        </RequestDialog>
      )}
    </>
  );
}
