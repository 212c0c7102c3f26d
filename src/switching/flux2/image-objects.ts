import { globMatches, type JsonObject } from "@weir/base";
import { canonicalImageName, printImageName, registryOf } from "@weir/flux";
import type { FluxdFlags } from "../../fluxd-flags/flags.ts";
import type { AutomatedImage } from "./automated-images.ts";
import { apiVersions, type ExportedObject } from "./exported-object.ts";
import { printInterval } from "./interval.ts";
import { toNamePart, uniqueNames } from "./object-names.ts";
import type { TagFilter, TagOrder } from "./tag-policy.ts";

/** An ImageRepository for each image repository, then an ImagePolicy for each container. */
export function imageObjects(
  images: readonly AutomatedImage[],
  flags: FluxdFlags,
  namespace: string,
): readonly ExportedObject[] {
  const byRepository = Map.groupBy(images, canonicalOf);
  const names = uniqueNames(
    [...byRepository].map(
      ([key, [first]]) => [key, toNamePart(first?.container.image.image ?? key)] as const,
    ),
  );
  const nameOf = (image: AutomatedImage): string => names.get(canonicalOf(image)) ?? "";
  return [
    ...[...byRepository.values()].flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [imageRepository([first, ...others], { name: nameOf(first), namespace }, flags)],
    ),
    ...images.map((image) => imagePolicy(image, nameOf(image), namespace)),
  ];
}

/** True if fluxd scans an image, according to --registry-exclude-image and --registry-include-image. */
export function isScanned({ container }: Pick<AutomatedImage, "container">, flags: FluxdFlags): boolean {
  const name = printImageName(canonicalImageName(container.image));
  const { registryExcludeImage, registryIncludeImage } = flags;
  const isIn = (globs: readonly string[]): boolean => globs.some((glob) => globMatches(glob, name));
  return (
    !isIn(registryExcludeImage.value) &&
    (registryIncludeImage.value.length === 0 || isIn(registryIncludeImage.value))
  );
}

function canonicalOf({ container }: AutomatedImage): string {
  return printImageName(canonicalImageName(container.image));
}

function imageRepository(
  images: readonly [AutomatedImage, ...(readonly AutomatedImage[])],
  metadata: { readonly name: string; readonly namespace: string },
  flags: FluxdFlags,
): ExportedObject {
  const host = registryOf(images[0].container.image);
  const provider = providerOf(host);
  const [pullSecret, ...moreSecrets] = [
    ...new Set(images.flatMap(({ workload }) => workload.pullSecrets)),
  ].toSorted();
  const isInsecure = flags.registryInsecureHost.value.includes(host);
  const spec: JsonObject = {
    image: images[0].repository,
    interval: printInterval(scanIntervalOf(flags)),
    ...(provider === undefined || pullSecret !== undefined ? {} : { provider }),
    ...(pullSecret === undefined ? {} : { secretRef: { name: pullSecret } }),
    ...(isInsecure ? { insecure: true } : {}),
  };
  return {
    object: { apiVersion: apiVersions.image, kind: "ImageRepository", metadata, spec },
    comments: [
      ...(pullSecret === undefined
        ? []
        : [
            `Secret ${pullSecret} must be copied to namespace ${metadata.namespace} first: see "Secrets" above.`,
          ]),
      ...(moreSecrets.length === 0
        ? []
        : [
            `The workloads also pull with ${moreSecrets.join(", ")}; an ImageRepository takes only one Secret.`,
          ]),
      ...(provider !== undefined && pullSecret === undefined
        ? [
            `provider ${provider} uses the credentials of image-reflector-controller, which needs read access to the registry.`,
          ]
        : []),
      ...(isInsecure
        ? ["insecure means plain HTTP. For HTTPS with a private certificate, use certSecretRef instead."]
        : []),
    ],
  };
}

/** --registry-poll-interval is the old name of --automation-interval. */
function scanIntervalOf({ registryPollInterval, automationInterval }: FluxdFlags): number {
  return registryPollInterval.isSet ? registryPollInterval.value : automationInterval.value;
}

/** Registries for which Flux v1 gets credentials from the cloud that it runs in. */
function providerOf(host: string): "aws" | "gcp" | "azure" | undefined {
  if (/\.dkr\.ecr\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/.test(host)) {
    return "aws";
  }
  if (/(^|\.)gcr\.io$|-docker\.pkg\.dev$/.test(host)) {
    return "gcp";
  }
  return /\.azurecr\.(io|cn|de|us)$/.test(host) ? "azure" : undefined;
}

function imagePolicy(
  { policyName, workload, container, pattern, chosen }: AutomatedImage,
  repository: string,
  namespace: string,
): ExportedObject {
  const { policy, agrees, comments } = chosen;
  return {
    object: {
      apiVersion: apiVersions.image,
      kind: "ImagePolicy",
      metadata: { name: policyName, namespace },
      spec: {
        ...(agrees ? {} : { suspend: true }),
        imageRepositoryRef: { name: repository },
        ...(policy.filter === undefined ? {} : { filterTags: printFilter(policy.filter) }),
        policy: printOrder(policy.order),
      },
    },
    comments: [
      `Container ${container.name} of ${workload.id}, with the tag pattern ${pattern}.`,
      ...comments,
    ],
  };
}

function printFilter({ pattern, extract }: TagFilter): JsonObject {
  return { pattern, ...(extract === undefined ? {} : { extract }) };
}

function printOrder(order: TagOrder): JsonObject {
  return order.kind === "semver" ? { semver: { range: order.range } } : { [order.kind]: { order: "asc" } };
}
