import type { ReactNode } from "react";
import type { TreeNode } from "../../../src/contract/workloads.ts";
import { podsOf } from "../../text/tree.ts";
import { healthOf } from "../../text/words.ts";
import { Status } from "../../ui/badge.tsx";
import { Table } from "../../ui/table.tsx";

/** The pods in a tree. */
export function PodTable({ roots }: { readonly roots: readonly TreeNode[] }): ReactNode {
  const pods = podsOf(roots);
  if (pods.length === 0) {
    return <p className="help padded">It has no pods.</p>;
  }
  return (
    <Table columns={["Pod", "Health", "Message"]}>
      {pods.map(({ namespace, name, health, message }) => (
        <tr key={`${namespace}/${name}`}>
          <th scope="row" className="break" data-label="Pod">
            {name}
          </th>
          <td data-label="Health">
            <Status of={healthOf(health)} />
          </td>
          <td data-label="Message" className="break help">
            {message}
          </td>
        </tr>
      ))}
    </Table>
  );
}
