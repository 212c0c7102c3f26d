import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sopsKeys } from "../../support/encrypted-files.ts";
import { chartInstall } from "../../support/flux-installs.ts";
import { describeSwitch } from "../../support/pods/switch/describe-switch.ts";
import { syncedFilesWithNamespace } from "../../support/pods/switch/synced-files.ts";

const namespace = "flux";
const secretName = "flux-gpg-keys";
const key = readFileSync(sopsKeys.pgp, "utf8");
/** The real sops encrypted this Secret for that key. */
const secret = readFileSync(join(import.meta.dirname, "../../fixtures/sops/secret.yaml"), "utf8");

describeSwitch("the Helm chart with files of sops, and commits that are signed and verified", {
  namespace,
  files: { ...syncedFilesWithNamespace, "secrets/encrypted.yaml": secret },
  signing: { key, user: "rsa" },
  prerequisites: () => [
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: secretName, namespace },
      stringData: { "flux.asc": key },
    },
  ],
  install: ({ url }) =>
    chartInstall({
      git: { url, signingKey: "rsa@example.test", verifySignatures: true },
      gpgKeys: { secretName },
      sops: true,
    }),
});
