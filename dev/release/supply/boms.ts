import { Spec, Validation } from "@cyclonedx/cyclonedx-library";

/** The parts of an SBOM in CycloneDX that we read or change. */
export interface Bom {
  readonly metadata?: { readonly component?: Component; readonly [field: string]: unknown };
  readonly components?: readonly Component[];
  readonly dependencies?: readonly object[];
  readonly [field: string]: unknown;
}

/** Something that is listed. */
export interface Component {
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

/** What a license is called; "" if nothing says it. */
export function termOf({ expression, license }: LicenseChoice): string {
  return expression ?? license?.id ?? license?.name ?? "";
}

/** The first SBOM, with everything that the second one lists, and what that is about, among its components. */
export function joinBoms(outer: Bom, { metadata, components = [], dependencies = [] }: Bom): Bom {
  const about = metadata?.component === undefined ? [] : [metadata.component];
  return {
    ...outer,
    components: [...(outer.components ?? []), ...about, ...components],
    dependencies: [...(outer.dependencies ?? []), ...dependencies],
  };
}

/** Rejects if a text isn't an SBOM that follows the schema of CycloneDX 1.6; `name` is for the message. */
export async function assertValidBom(text: string, name: string): Promise<void> {
  const fault: unknown = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  if (fault !== null) {
    throw new Error(`the SBOM of ${name} isn't valid: ${JSON.stringify(fault).slice(0, 1000)}`);
  }
}
