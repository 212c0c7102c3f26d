import { type ReactNode, useState } from "react";
import { useAnswer, useChange } from "../../api/use-answer.ts";
import { instanceAt, jobAt, workloadAt } from "../../state/addresses.ts";
import { navigate, useFilters } from "../../state/use-location.ts";
import { Empty } from "../../ui/empty.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Heading } from "../../ui/heading.tsx";
import { Link } from "../../ui/link.tsx";
import { Section } from "../../ui/section.tsx";
import { PlanPreview, usePlan } from "../request/plan-preview.tsx";
import { newKey } from "../request/request-dialog.tsx";
import { ImageChoice } from "./image-choice.tsx";
import { releaseFilters, releaseSpec } from "./release-spec.ts";

/** Prepares a release: which images, of which workloads, and what that would do. All of it is in the address. */
export function ReleaseScreen({ instance: id }: { readonly instance: string }): ReactNode {
  const [values, set] = useFilters(releaseFilters);
  const instance = useAnswer("instance", { params: { instance: id } });
  const request = useChange("createJob");
  const [idempotencyKey] = useState(newKey);
  const { workload: workloads, force, message } = values;
  const spec = releaseSpec(values);
  const plan = usePlan(id, spec, { enabled: workloads.length > 0 });
  const name = instance.data?.name ?? "";
  if (workloads.length === 0) {
    return (
      <>
        <Heading title="Release" above={<Link to={instanceAt(id)}>{name}</Link>} />
        <Empty title="No workload is chosen.">
          <p>
            <Link to={`/workloads?${new URLSearchParams({ instance: id }).toString()}`}>Choose some</Link>
          </p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <Heading title="Release" above={<Link to={instanceAt(id)}>{name}</Link>} />
      <Form
        submit={plan.data?.needsApproval === true ? "Ask for approval" : "Release"}
        busy={request.isPending}
        error={request.error}
        disabled={plan.data === undefined || plan.isPlaceholderData || plan.data.changes.length === 0}
        onCancel={() => history.back()}
        onSubmit={() =>
          request.mutate(
            { params: { instance: id }, body: { spec, idempotencyKey, planDigest: plan.data?.digest ?? "" } },
            { onSuccess: (job) => navigate(jobAt(job.id)) },
          )
        }
      >
        <Section title="Workloads">
          <ul className="chips">
            {workloads.map((workload) => (
              <li key={workload}>
                <Link to={workloadAt({ instance: id, workload })} className="break">
                  {workload}
                </Link>
                {workloads.length > 1 && (
                  <button
                    type="button"
                    aria-label={`Leave out ${workload}`}
                    onClick={() => set({ workload: workloads.filter((each) => each !== workload) })}
                  >
                    ×
                  </button>
                )}
              </li>
            ))}
          </ul>
        </Section>
        <ImageChoice instance={id} values={values} onChange={set} />
        <Section title="Options">
          <div className="padded form">
            <CheckField
              label="Also release workloads that are locked"
              checked={force}
              onChecked={(next) => set({ force: next })}
            />
            <TextField
              label="Message"
              help="Written into the commit."
              value={message}
              onValue={(next) => set({ message: next })}
              maxLength={1_000}
            />
          </div>
        </Section>
        <Section title="Plan">
          <div className="padded">
            <PlanPreview from={plan} />
          </div>
        </Section>
      </Form>
    </>
  );
}
