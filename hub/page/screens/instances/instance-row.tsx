import type { ReactNode } from "react";
import type { Instance } from "../../../src/contract/instances.ts";
import { instanceAt } from "../../state/addresses.ts";
import { shortRevision } from "../../text/image.ts";
import { syncWords } from "../../text/words.ts";
import { Badge, Status } from "../../ui/badge.tsx";
import { HealthBar } from "../../ui/health-bar.tsx";
import { Link } from "../../ui/link.tsx";
import { When } from "../../ui/when.tsx";

/** An instance in the list. */
export function InstanceRow({ instance }: { readonly instance: Instance }): ReactNode {
  const { id, name, description, connected, lastSeenAt, sync, workloads, git, daemon, suspended, problem } =
    instance;
  return (
    <tr>
      <th scope="row" data-label="Instance">
        <span className="title">
          <span className={connected ? "dot good" : "dot bad"} aria-hidden="true" />
          <Link to={instanceAt(id)} className="row-link break">
            {name}
          </Link>
          {!connected && <Badge tone="bad">Not connected</Badge>}
          {suspended && <Badge tone="warning">Suspended</Badge>}
        </span>
        <span className="under">{problem === "" ? description : <span className="bad">{problem}</span>}</span>
      </th>
      <td data-label="Sync">
        <Status of={syncWords[sync.state]} />
        <span className="under">
          {sync.revision !== "" && <code>{shortRevision(sync.revision)}</code>}
          {sync.at !== null && (
            <>
              {" "}
              <When at={sync.at} />
            </>
          )}
        </span>
      </td>
      <td data-label="Workloads">
        <HealthBar {...workloads} />
        {workloads.newImages > 0 && (
          <span className="under">{`${workloads.newImages.toLocaleString("en")} with newer images`}</span>
        )}
      </td>
      <td className="wide-only" data-label="Git">
        <span className="cut">{repositoryOf(git.url)}</span>
        <span className="under cut">
          {git.branch}
          {git.path !== "" && ` · ${git.path}`}
        </span>
      </td>
      <td className="wide-only" data-label="Daemon">
        {daemonText(daemon)}
        <span className="under">
          {lastSeenAt === null ? (
            "Never seen"
          ) : (
            <>
              Seen <When at={lastSeenAt} />
            </>
          )}
        </span>
      </td>
    </tr>
  );
}

/** A repository without scheme and host, as people call it. */
export function repositoryOf(url: string): string {
  return url
    .replace(/^[a-z+]+:\/\/[^/]*\//, "")
    .replace(/^[^/]*:/, "")
    .replace(/\.git$/, "");
}

/** Which daemon it is; empty as long as it has never connected. */
export function daemonText({ kind, version, protocol }: Instance["daemon"]): string {
  return version === "" ? "" : `${kind === "weir" ? "Weir" : "Flux"} ${version} (${protocol})`;
}
