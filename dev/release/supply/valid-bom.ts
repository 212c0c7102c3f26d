import { Spec, Validation } from "@cyclonedx/cyclonedx-library";

/** Rejects if a text isn't an SBOM that follows the schema of CycloneDX 1.6; `name` is for the message. */
export async function assertValidBom(text: string, name: string): Promise<void> {
  const fault: unknown = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  if (fault !== null) {
    throw new Error(`the SBOM of ${name} isn't valid: ${JSON.stringify(fault).slice(0, 1000)}`);
  }
}
