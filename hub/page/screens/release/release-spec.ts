import type { SentBody } from "../../../src/contract/schemas.ts";
import type { FilterValues } from "../../state/filters.ts";

/**
 * What a release is made of, as it is in the address. Without images, those that the tag filters allow are released;
 * with them, `image` has one for each `container`, of the first workload.
 */
export const releaseFilters = {
  workload: { kind: "several" },
  container: { kind: "several" },
  image: { kind: "several" },
  force: { kind: "flag" },
  message: { kind: "text" },
} as const;

export type ReleaseValues = FilterValues<typeof releaseFilters>;

/** The images that are chosen, by container. */
export function chosenImages({ container, image }: ReleaseValues): ReadonlyMap<string, string> {
  return new Map(
    container.flatMap((name, index) => (image[index] === undefined ? [] : [[name, image[index]]])),
  );
}

/** The values with another image for a container, or without one. */
export function withImage(
  values: ReleaseValues,
  container: string,
  image: string | undefined,
): Pick<ReleaseValues, "container" | "image"> {
  const images = new Map(chosenImages(values));
  if (image === undefined) {
    images.delete(container);
  } else {
    images.set(container, image);
  }
  return { container: [...images.keys()], image: [...images.values()] };
}

/** What is asked of the console. */
export function releaseSpec(values: ReleaseValues): Extract<SentBody<"plan">, { kind: "release" }> {
  const { workload, force, message } = values;
  const images = chosenImages(values);
  const first = workload[0] ?? "";
  return {
    kind: "release",
    workloads: [...workload],
    images:
      images.size === 0
        ? "latest"
        : [...images].map(([container, image]) => ({ workload: first, container, image })),
    force,
    message: message.trim(),
  };
}
