import { type ReactNode, useId } from "react";
import type { Answer } from "../../../src/contract/schemas.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { imageText } from "../../text/image.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Section } from "../../ui/section.tsx";
import { chosenImages, type ReleaseValues, withImage } from "./release-spec.ts";

type ContainerImages = Answer<"workloadImages">["containers"][number];

/** Which images are released: the newest, or for one workload, those that are chosen. */
export function ImageChoice({
  instance,
  values,
  onChange,
}: {
  readonly instance: string;
  readonly values: ReleaseValues;
  readonly onChange: (change: Partial<ReleaseValues>) => void;
}): ReactNode {
  const [first = "", ...others] = values.workload;
  const isOne = others.length === 0;
  const images = useAnswer("workloadImages", { params: { instance, workload: first } }, { enabled: isOne });
  if (!isOne) {
    return (
      <Section title="Images">
        <p className="padded">The newest that the tag filters allow.</p>
      </Section>
    );
  }
  return (
    <Section title="Images">
      <div className="padded form">
        <Loaded from={images} lines={2}>
          {({ containers }) => (
            <>
              {containers.map((container) => (
                <ContainerChoice
                  key={container.container}
                  images={container}
                  chosen={chosenImages(values).get(container.container)}
                  onChoose={(image) => onChange(withImage(values, container.container, image))}
                />
              ))}
            </>
          )}
        </Loaded>
      </div>
    </Section>
  );
}

function ContainerChoice({
  images: { container, filter, images },
  chosen,
  onChoose,
}: {
  readonly images: ContainerImages;
  readonly chosen: string | undefined;
  readonly onChoose: (image: string | undefined) => void;
}): ReactNode {
  const id = useId();
  const isKnown = chosen === undefined || images.some(({ ref }) => ref === chosen);
  return (
    <div className="field">
      <label htmlFor={id}>{container}</label>
      <select
        id={id}
        value={chosen ?? ""}
        onChange={({ target }) => onChoose(target.value === "" ? undefined : target.value)}
      >
        <option value="">{filter === "" ? "The newest" : `The newest that ${filter} allows`}</option>
        {!isKnown && <option value={chosen}>{chosen}</option>}
        {images.map(({ ref, running, allowed }) => (
          <option key={ref} value={ref}>
            {`${imageText(ref).name}:${imageText(ref).tag}${running ? " (runs)" : ""}${allowed ? "" : " (not allowed by the filter)"}`}
          </option>
        ))}
      </select>
    </div>
  );
}
