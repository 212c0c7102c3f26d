import type { ReactNode } from "react";
import type { Answer } from "../../../src/contract/schemas.ts";
import type { Workload } from "../../../src/contract/workloads.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { releaseAt } from "../../state/addresses.ts";
import { useMay } from "../../state/session.ts";
import { useFilters } from "../../state/use-location.ts";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Failure } from "../../ui/failure.tsx";
import { ImageName } from "../../ui/image-name.tsx";
import { Link } from "../../ui/link.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { SearchBox } from "../../ui/search-box.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import { When } from "../../ui/when.tsx";

type ContainerImages = Answer<"workloadImages">["containers"][number];

const filters = { tag: { kind: "text" }, all: { kind: "flag" } } as const;

/** Nothing tells of new images that the filter doesn't allow, so they're asked for, in milliseconds. */
const askedEvery = 30_000;

/** The images that a workload's containers could run, to choose from. */
export function Images({ workload }: { readonly workload: Workload }): ReactNode {
  const { instance, id } = workload;
  const request = { params: { instance: instance.id, workload: id } };
  const answer = useAnswer("workloadImages", request, { every: askedEvery });
  const [{ tag, all }, set] = useFilters(filters);
  return (
    <>
      <div className="filters">
        <SearchBox label="Search tags" value={tag} onValue={(next) => set({ tag: next })} />
        <button
          type="button"
          className={all ? "button active" : "button"}
          aria-pressed={all}
          onClick={() => set({ all: !all })}
        >
          Also those that the filters don’t allow
        </button>
      </div>
      <Loaded from={answer} lines={12}>
        {({ containers }) => (
          <>
            {containers.map((container) => (
              <Section
                key={container.container}
                title={container.container}
                note={container.filter === "" ? "No tag filter" : <code>{container.filter}</code>}
              >
                <ImageTable
                  workload={workload}
                  container={container}
                  images={container.images.filter(({ ref, allowed, running }) => {
                    const isShown = all || allowed || running;
                    return isShown && ref.toLowerCase().includes(tag.toLowerCase());
                  })}
                />
              </Section>
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}

function ImageTable({
  workload: { instance, id, namespace, readOnly },
  container: { container, total, problem, images: known },
  images,
}: {
  readonly workload: Workload;
  readonly container: ContainerImages;
  readonly images: ContainerImages["images"];
}): ReactNode {
  const mayRelease = useMay("operator", { instanceId: instance.id, namespace }) && readOnly === "";
  return (
    <>
      {problem !== "" && <Failure error={new Error(problem)} />}
      {images.length === 0 ? (
        <Empty title="No image matches." />
      ) : (
        <Table look="images" columns={["Image", "Built"]} actions="Release">
          {images.map(({ ref, createdAt, running, allowed }) => (
            <tr key={ref} className={running ? "selected" : undefined}>
              <th scope="row" data-label="Image">
                <ImageName image={ref} /> {running && <Badge tone="good">Runs</Badge>}
                {!allowed && <Badge>Not allowed by the filter</Badge>}
              </th>
              <td data-label="Built">{createdAt === null ? "Unknown" : <When at={createdAt} />}</td>
              <td className="end">
                {mayRelease && !running && (
                  <Link
                    to={releaseAt({ instance: instance.id, workloads: [id], container, image: ref })}
                    aria-label={`Release ${ref}`}
                  >
                    Release
                  </Link>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {total > known.length && (
        <p className="help padded">{`The newest ${known.length} of ${total.toLocaleString("en")} images.`}</p>
      )}
    </>
  );
}
