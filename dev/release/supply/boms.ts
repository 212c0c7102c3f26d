/** The parts of an SBOM in CycloneDX that we change. */
export interface Bom {
  readonly serialNumber?: string;
  readonly metadata?: {
    readonly timestamp?: string;
    readonly component?: Component;
    readonly [field: string]: unknown;
  };
  readonly components?: readonly Component[];
  readonly dependencies?: readonly Dependency[];
  readonly [field: string]: unknown;
}

/** Something that is listed. */
export interface Component {
  readonly "bom-ref"?: string;
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  /** "excluded" for a package whose code was left out. */
  readonly scope?: string;
  readonly licenses?: readonly LicenseChoice[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly [field: string]: unknown;
}

/** One of the licenses of a component. */
export interface LicenseChoice {
  readonly expression?: string;
  readonly license?: { readonly id?: string; readonly name?: string; readonly url?: string };
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

/** What an SBOM is about. */
export interface ImageFacts {
  readonly name: string;
  readonly version: string;
  /** E.g. "sha256:…". */
  readonly digest: string;
  readonly timestamp: string;
}

/**
 * The SBOM of an image without what differs from run to run: random numbers, the time, and paths of temporary files; and
 * without the labels of the image, which say nothing of its contents.
 */
export function settleBom({ metadata, ...bom }: Bom, { name, version, digest, timestamp }: ImageFacts): Bom {
  const reference = `${name}@${digest}`;
  const former = metadata?.component?.["bom-ref"];
  const component = { "bom-ref": reference, type: "container", name, version: `${version}@${digest}` };
  const renamed = (ref: string): string => (ref === former ? reference : ref);
  const settled = Object.entries(bom).filter(([field]) => field !== "serialNumber");
  return {
    ...(Object.fromEntries(settled) as Bom),
    metadata: { ...withoutProperties(metadata), timestamp, component },
    components: (bom.components ?? []).toSorted((a, b) => compare(keyOf(a), keyOf(b))),
    dependencies: (bom.dependencies ?? [])
      .map(({ ref, dependsOn = [] }) => ({
        ref: renamed(ref),
        dependsOn: dependsOn.map(renamed).toSorted(compare),
      }))
      .toSorted((a, b) => compare(a.ref, b.ref)),
  };
}

function withoutProperties(metadata: Bom["metadata"]): Bom["metadata"] {
  return Object.fromEntries(Object.entries(metadata ?? {}).filter(([field]) => field !== "properties"));
}

/** The first SBOM, with everything that the second one lists, and what that is about, among its components. */
export function joinBoms(outer: Bom, inner: Bom): Bom {
  const added = [
    ...(inner.metadata?.component === undefined ? [] : [inner.metadata.component]),
    ...(inner.components ?? []),
  ];
  const known = new Set((outer.components ?? []).map(keyOf));
  return {
    ...outer,
    components: [...(outer.components ?? []), ...added.filter((each) => !known.has(keyOf(each)))],
    dependencies: [...(outer.dependencies ?? []), ...(inner.dependencies ?? [])],
  };
}

function keyOf(component: Component): string {
  return component["bom-ref"] ?? `${component.type} ${component.name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
