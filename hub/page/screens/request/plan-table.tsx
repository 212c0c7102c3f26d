import type { ReactNode } from "react";
import type { Plan } from "../../../src/contract/jobs.ts";
import type { Tone } from "../../text/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { ImageName } from "../../ui/image-name.tsx";
import { Table } from "../../ui/table.tsx";

const tones: Readonly<Record<string, Tone>> = {
  success: "good",
  pending: "busy",
  skipped: "quiet",
  ignored: "quiet",
  failed: "bad",
  unknown: "warning",
};

/** What a job does to which workload. */
export function PlanTable({ plan: { changes } }: { readonly plan: Plan }): ReactNode {
  if (changes.length === 0) {
    return <p className="help">No workload changes.</p>;
  }
  return (
    <div className="scroll" role="region" aria-label="Changes" tabIndex={0}>
      <Table look="plan-table" columns={["Workload", "Result", "Change"]}>
        {changes.map(({ workload, status, message, containers }) => (
          <tr key={workload}>
            <th scope="row" className="break" data-label="Workload">
              {workload}
            </th>
            <td data-label="Result">
              <Badge tone={tones[status] ?? "quiet"}>{status}</Badge>
            </td>
            <td data-label="Change">
              {message !== "" && <p className="help break">{message}</p>}
              {containers.map(({ container, from, to }) => (
                <p key={container} className="image-change">
                  <span className="help">{container}</span> <ImageName image={from} /> <span>→</span>{" "}
                  <ImageName image={to} />
                </p>
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}
