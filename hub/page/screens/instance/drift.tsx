import { type ReactNode, useState } from "react";
import type { Instance } from "../../../src/contract/instances.ts";
import type { Answer } from "../../../src/contract/schemas.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { mayReach } from "../../state/may.ts";
import { useMay, useMaySomewhere, useSession } from "../../state/session.ts";
import { counted, listed } from "../../text/count.ts";
import { shortRevision } from "../../text/image.ts";
import type { Toned } from "../../text/words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DiffView } from "../../ui/diff-view.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { RequestDialog } from "../request/request-dialog.tsx";

type Drifts = Answer<"drift">;
type DriftRow = Drifts["rows"][number];

const kinds: Readonly<Record<DriftRow["kind"], Toned>> = {
  changed: { text: "Changed", tone: "warning" },
  missing: { text: "Missing", tone: "bad" },
  extra: { text: "Not in git", tone: "quiet" },
};

/** How often it's compared again, in milliseconds: daemons don't tell of changes in the cluster. */
const comparedEvery = 10_000;

/** What in the cluster isn't as in git: it can be put back, or taken over into git. */
export function Drift({ instance }: { readonly instance: Instance }): ReactNode {
  const answer = useAnswer("drift", { params: { instance: instance.id } }, { every: comparedEvery });
  return (
    <Loaded from={answer}>
      {(drifts) =>
        drifts.rows.length === 0 ? (
          <Empty title="The cluster is as in git.">
            {drifts.revision !== "" && <p>{`Compared with commit ${shortRevision(drifts.revision)}.`}</p>}
          </Empty>
        ) : (
          <DriftList instance={instance} drifts={drifts} />
        )
      }
    </Loaded>
  );
}

function DriftList({
  instance,
  drifts,
}: {
  readonly instance: Instance;
  readonly drifts: Drifts;
}): ReactNode {
  const { grants } = useSession();
  const maySync = useMay("operator", { instanceId: instance.id });
  const mayTakeOver = useMaySomewhere("operator", instance.id);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [open, setOpen] = useState<"sync" | "take-over">();
  const { rows, revision } = drifts;
  const taken = rows.map(({ id }) => id).filter((id) => chosen.includes(id));
  const close = (): void => setOpen(undefined);
  return (
    <>
      <div className="bar-of-actions">
        <p>{`${counted(rows.length, "object differs", "objects differ")} from commit ${shortRevision(revision)}.`}</p>
        {mayTakeOver && (
          <Button disabled={taken.length === 0} icon="git" onClick={() => setOpen("take-over")}>
            {taken.length === 0 ? "Take over into git" : `Take over into git (${taken.length})`}
          </Button>
        )}
        {maySync && (
          <Button
            look="primary"
            icon="sync"
            disabled={instance.syncSuspended}
            onClick={() => setOpen("sync")}
          >
            Put everything back
          </Button>
        )}
      </div>
      <ul className="drifts">
        {rows.map((drift) => (
          <DriftItem
            key={drift.id}
            drift={drift}
            choice={
              drift.kind !== "missing" &&
              mayReach(grants, "operator", { instanceId: instance.id, ids: [drift.id] })
                ? {
                    chosen: chosen.includes(drift.id),
                    onChange: (on) =>
                      setChosen(on ? [...chosen, drift.id] : chosen.filter((each) => each !== drift.id)),
                  }
                : undefined
            }
          />
        ))}
      </ul>
      {open === "sync" && (
        <RequestDialog
          title="Put everything back"
          instanceId={instance.id}
          spec={{ kind: "sync" }}
          submit="Put back"
          onClose={close}
        >
          <p>{`Syncs ${instance.name} with its newest commit, which fluxd does for all objects at once: everything that was changed in the cluster becomes as in git again, and commits that aren’t applied yet are applied.`}</p>
        </RequestDialog>
      )}
      {open === "take-over" && (
        <RequestDialog
          title="Take over into git"
          instanceId={instance.id}
          spec={{ kind: "take-over", ids: taken }}
          submit="Take over"
          onClose={close}
        >
          <p className="break">{`Commits what ${listed(taken)} is like in the cluster.`}</p>
        </RequestDialog>
      )}
    </>
  );
}

interface RowChoice {
  readonly chosen: boolean;
  readonly onChange: (chosen: boolean) => void;
}

function DriftItem({
  drift: { id, kind, diff, by },
  choice,
}: {
  readonly drift: DriftRow;
  readonly choice: RowChoice | undefined;
}): ReactNode {
  return (
    <li>
      <div className="drift-title">
        {choice === undefined ? (
          <span className="no-choice" />
        ) : (
          <input
            type="checkbox"
            aria-label={`Choose ${id}`}
            checked={choice.chosen}
            onChange={({ target }) => choice.onChange(target.checked)}
          />
        )}
        <span className="strong break">{id}</span>
        <Badge tone={kinds[kind].tone}>{kinds[kind].text}</Badge>
        {by.length > 0 && <span className="help">{`by ${listed(by)}`}</span>}
      </div>
      {diff !== "" && <DiffView diff={diff} label={`${id}: from the cluster to git`} />}
    </li>
  );
}
