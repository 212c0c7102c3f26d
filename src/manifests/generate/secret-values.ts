import { type KubeObject, scrubSecrets } from "@weir/kube";
import type { Manifest } from "../manifest.ts";
import type { ParsedFile } from "../parse.ts";

/** As much of a file as is looked at for Secrets. */
type Manifests = Pick<ParsedFile, "source" | "manifests">;

/**
 * What the Secrets among manifests hold, so that no text repeats it. It outlives a load: what a command says of a
 * Secret when it fails is most likely a value that it made before.
 */
export class SecretValues {
  readonly #bySource = new Map<string, readonly KubeObject[]>();

  /** Learns the Secrets of a file, in the place of those that it had. */
  learn({ source, manifests }: Manifests): void {
    const secrets = manifests.flatMap(secretsOf);
    if (secrets.length > 0) {
      this.#bySource.set(source, secrets);
    }
  }

  /** The text without what a Secret holds, be it known or in these files. */
  hideIn(text: string, files: readonly Manifests[] = []): string {
    const inFiles = files.flatMap(({ manifests }) => manifests.flatMap(secretsOf));
    return scrubSecrets(text, [...inFiles, ...[...this.#bySource.values()].flat()]);
  }
}

function secretsOf(manifest: Manifest): readonly KubeObject[] {
  const { kind, json } = manifest.content;
  return kind === "Secret" && !("error" in json) ? [manifest.object] : [];
}
