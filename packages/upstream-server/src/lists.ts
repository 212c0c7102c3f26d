import { allWorkloadsSpec, partsOfResourceId } from "@weir/flux";
import {
  decodeImageList,
  decodeWorkloads,
  encodeListImagesOptions,
  encodeListServicesOptions,
  type ListImagesOptions,
  type ListWorkloadsOptions,
  type WorkloadImagesReport,
  type WorkloadStatusReport,
} from "@weir/flux/api";
import { type Asker, isMissing } from "./asker.ts";
import { withFields, withRollout } from "./polyfills.ts";
import { requireImagesOf, requireListable } from "./protocol.ts";

/**
 * Lists workloads, filtered by the daemon if it can. Throws an API error for a kind that the daemon doesn't
 * know.
 */
export async function listWorkloads(
  asker: Asker,
  options: ListWorkloadsOptions,
  signal: AbortSignal,
): Promise<readonly WorkloadStatusReport[]> {
  const { namespace, workloads } = options;
  if (namespace !== "" && workloads.length > 0) {
    throw new Error("cannot filter by 'namespace' and 'services' at the same time");
  }
  requireListable(workloads, asker.protocol);
  const listed = (await chosenByDaemon(asker, options, signal)) ?? (await chosenByUs(asker, options, signal));
  return listed.map(withRollout);
}

/**
 * Undefined if the daemon doesn't filter: it's older than version 11, or it's Flux, which never served the
 * method.
 */
async function chosenByDaemon(
  asker: Asker,
  options: ListWorkloadsOptions,
  signal: AbortSignal,
): Promise<readonly WorkloadStatusReport[] | undefined> {
  if (!asker.protocol.servicesWithOptions || options.workloads.length === 0) {
    return undefined;
  }
  const method = "ListServicesWithOptions";
  try {
    return await asker.ask(
      { method, argument: encodeListServicesOptions(options), decode: decodeWorkloads },
      signal,
    );
  } catch (error) {
    if (isMissing(error, method)) {
      return undefined;
    }
    throw error;
  }
}

async function chosenByUs(
  asker: Asker,
  { namespace, workloads }: ListWorkloadsOptions,
  signal: AbortSignal,
): Promise<readonly WorkloadStatusReport[]> {
  const all = await asker.ask(
    { method: "ListServices", argument: namespace, decode: decodeWorkloads },
    signal,
  );
  const wanted = new Set(workloads);
  return wanted.size === 0 ? all : all.filter(({ id }) => wanted.has(id));
}

/** Lists images; for old daemons, fields and tag filters are applied here. Throws like listWorkloads. */
export async function listImages(
  asker: Asker,
  options: ListImagesOptions,
  signal: AbortSignal,
): Promise<readonly WorkloadImagesReport[]> {
  requireImagesOf(options.workload, asker.protocol);
  if (asker.protocol.imagesWithOptions) {
    const argument = encodeListImagesOptions(options);
    return asker.ask({ method: "ListImagesWithOptions", argument, decode: decodeImageList }, signal);
  }
  const images = await asker.ask(
    { method: "ListImages", argument: options.workload, decode: decodeImageList },
    signal,
  );
  const namespace = namespaceOf(options);
  const workloads = await asker.ask(
    { method: "ListServices", argument: namespace, decode: decodeWorkloads },
    signal,
  );
  const chosen = images.filter(({ id }) => namespace === "" || partsOfResourceId(id).namespace === namespace);
  return withFields(chosen, workloads, options.fields);
}

function namespaceOf({ workload, namespace }: ListImagesOptions): string {
  return workload === allWorkloadsSpec ? namespace : partsOfResourceId(workload).namespace;
}
