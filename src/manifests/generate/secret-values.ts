import { type KubeObject, scrubSecrets } from "@weir/kube";
import type { Manifest } from "../manifest.ts";
import type { ParsedFile } from "../parse.ts";

/** The parts of a file that matter for finding Secrets. */
type Manifests = Pick<ParsedFile, "source" | "manifests">;

/**
 * The values of Secrets in manifests, for removing them from texts. These outlive a load: if a failing command prints
 * the value of a Secret, it's most likely one that it generated earlier.
 */
export class SecretValues {
  readonly #bySource = new Map<string, readonly KubeObject[]>();

  /** Stores the Secrets of a file, replacing its earlier ones. */
  learn({ source, manifests }: Manifests): void {
    const secrets = manifests.flatMap(secretsOf);
    if (secrets.length > 0) {
      this.#bySource.set(source, secrets);
    }
  }

  /** The text without the values of known Secrets, or of Secrets in these files. */
  hideIn(text: string, files: readonly Manifests[] = []): string {
    const inFiles = files.flatMap(({ manifests }) => manifests.flatMap(secretsOf));
    return scrubSecrets(text, [...inFiles, ...[...this.#bySource.values()].flat()]);
  }
}

function secretsOf(manifest: Manifest): readonly KubeObject[] {
  const { kind, json } = manifest.content;
  return kind === "Secret" && !("error" in json) ? [manifest.object] : [];
}
