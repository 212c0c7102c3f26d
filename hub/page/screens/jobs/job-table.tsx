import type { ReactNode } from "react";
import type { Job } from "../../../src/contract/jobs.ts";
import { jobAt } from "../../state/addresses.ts";
import { jobKinds, jobWords } from "../../text/words.ts";
import { Status } from "../../ui/badge.tsx";
import { Link } from "../../ui/link.tsx";
import { moveInList } from "../../ui/list-keys.ts";
import { When } from "../../ui/when.tsx";

/** Jobs, one a row. */
export function JobTable({
  jobs,
  withInstance = true,
}: {
  readonly jobs: readonly Job[];
  readonly withInstance?: boolean;
}): ReactNode {
  return (
    <table className="table jobs" onKeyDown={(event) => moveInList(event, "a.row-link")}>
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">State</th>
          {withInstance && <th scope="col">Instance</th>}
          <th scope="col">Requested</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map(({ id, spec, summary, state, instance, requestedBy, requestedAt, error }) => (
          <tr key={id}>
            <th scope="row" data-label="Job">
              <Link to={jobAt(id)} className="row-link break">
                {summary === "" ? jobKinds[spec.kind] : summary}
              </Link>
              {error !== "" && <span className="under bad break">{error}</span>}
            </th>
            <td data-label="State">
              <Status of={jobWords[state]} />
            </td>
            {withInstance && (
              <td data-label="Instance" className="break">
                {instance.name}
              </td>
            )}
            <td data-label="Requested">
              <span className="break">{requestedBy}</span>
              <span className="under">
                <When at={requestedAt} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
