import { printImageName } from "@weir/flux";
import type { ImageScan, WorkloadImagesReport } from "@weir/flux/api";
import type { ApiClient } from "@weir/flux/client";
import type { CommandContext } from "../command.ts";
import { scansOf, withoutName } from "./on-scans.ts";

/** Lists of images as they were, or with the reason where there are none, and the scans behind them. */
export interface ExplainedImages {
  readonly workloads: readonly WorkloadImagesReport[];
  readonly scans: readonly ImageScan[];
}

/** Finds out for a person why images are missing, or may be; a script gets the list as it is. */
export async function explainImages(
  workloads: readonly WorkloadImagesReport[],
  client: ApiClient,
  context: CommandContext,
): Promise<ExplainedImages> {
  if (context.errScreen === undefined) {
    return { workloads, scans: [] };
  }
  const names = await repositoriesOf(workloads, client, context);
  const scans = await scansOf([...names.values()], client, context);
  const explained = workloads.map(({ id, containers }) => ({
    id,
    containers: containers.map((container) => {
      const scan = scans.get(names.get(keyOf(id, container.name)) ?? "");
      return container.available.length > 0 || scan === undefined || context.screen === undefined
        ? container
        : { ...container, availableError: reasonOf(scan) };
    }),
  }));
  return { workloads: explained, scans: [...scans.values()] };
}

function reasonOf({ image, state, error }: ImageScan): string {
  switch (state) {
    case "failed":
    case "stale":
      return withoutName(image, error);
    case "waiting":
      return "not scanned yet";
    case "off":
      return "images are not scanned";
    case "scanned":
      return "";
  }
}

/** The repository of each container. A list of images doesn't name the repositories that it has no images of. */
async function repositoriesOf(
  workloads: readonly WorkloadImagesReport[],
  client: ApiClient,
  { signal }: CommandContext,
): Promise<ReadonlyMap<string, string>> {
  const known = workloads.flatMap(({ id, containers }) =>
    containers.map(({ name, current }) => [keyOf(id, name), printImageName(current.ref)] as const),
  );
  const unnamed = workloads.filter(({ containers }) =>
    containers.some(({ current }) => current.ref.image === ""),
  );
  const live =
    unnamed.length === 0
      ? []
      : await client
          .listWorkloads({ namespace: "", workloads: unnamed.map(({ id }) => id) }, signal)
          .catch(() => []);
  signal.throwIfAborted();
  const found = live.flatMap(({ id, containers }) =>
    containers.map(({ name, image }) => [keyOf(id, name), printImageName(image)] as const),
  );
  return new Map([...known, ...found]);
}

function keyOf(id: string, container: string): string {
  return `${id} ${container}`;
}
