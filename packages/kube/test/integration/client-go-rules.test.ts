import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { TempFolder } from "@weir/testing";
import { loadKubeConfig } from "../../src/client/kube-config.ts";
import { currentNamespace, KubeConfigError } from "../../src/client/kube-config-file.ts";
import { type KubeConfigSource, readKubeConfig } from "../../src/client/kube-config-source.ts";
import type { ClusterTls } from "../../src/rest/credentials.ts";

/** A situation, and what client-go 0.34.2 made of it. */
interface Recorded {
  readonly name: string;
  /** Texts by file name; @CA@, @CERT@ and @KEY@ stand for PEM blocks, @CA64@ and so on for the same in base64. */
  readonly files: Readonly<Record<string, string>>;
  /** The files in KUBECONFIG; if there are none, it isn't set. */
  readonly kubeconfig: readonly string[];
  /** The file that a flag names. */
  readonly explicit?: string;
  /** The context that a flag names. */
  readonly context?: string;
  readonly pod?: boolean;
  readonly expect: Expected;
}

interface Expected {
  /** "empty" if client-go says that there's no configuration, "wrong" for any other error. */
  readonly refused?: "empty" | "wrong";
  readonly server?: string;
  /** The namespace that the context sets. */
  readonly contextNamespace?: string;
  /** The namespace that kubectl would use. */
  readonly namespace?: string;
  readonly proxy?: string;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly tls?: Readonly<Record<string, unknown>>;
}

const table = readFileSync(join(import.meta.dirname, "../fixtures/kubeconfig.jsonl"), "utf8");

describe("a kubeconfig is used as client-go does it:", () => {
  for (const line of table.trimEnd().split("\n")) {
    const recorded = JSON.parse(line) as Recorded;
    it(recorded.name, async () => {
      using folder = new TempFolder();
      const source = prepare(folder, recorded);

      const found = await outcome(source, folder, recorded);

      assert.deepEqual(normalized(found), normalized(recorded.expect));
    });
  }
});

function prepare(folder: TempFolder, { files, kubeconfig, explicit, pod }: Recorded): KubeConfigSource {
  for (const [name, text] of Object.entries(files)) {
    const filled = text.replaceAll(/@(CA|CERT|KEY)64@/g, (_, block: string) =>
      Buffer.from(`@${block}@`).toString("base64"),
    );
    folder.write(name, filled, text.startsWith("#!") ? 0o700 : 0o600);
  }
  folder.write("pod/token", "pod-token\n");
  folder.write("pod/namespace", "pod-namespace");
  folder.write("pod/ca.crt", "@CA@");
  const paths = kubeconfig.map((file) => (file === "" ? "" : join(folder.path, file)));
  return {
    ...(explicit === undefined ? {} : { kubeconfig: join(folder.path, explicit) }),
    env: {
      PATH: process.env["PATH"],
      HOME: folder.path,
      ...(paths.length === 0 ? {} : { KUBECONFIG: paths.join(":") }),
      ...(pod === true ? { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" } : {}),
    },
  };
}

async function outcome(
  source: KubeConfigSource,
  folder: TempFolder,
  { context = "" }: Recorded,
): Promise<Expected> {
  const choice = context === "" ? {} : { context };
  const serviceAccountFolder = join(folder.path, "pod");
  const contextNamespace = await readKubeConfig(source).then(
    (config) => currentNamespace(config, choice.context),
    () => undefined,
  );
  const always = contextNamespace === undefined ? {} : { contextNamespace };
  try {
    const credentials = await loadKubeConfig({ ...source, ...choice, serviceAccountFolder });
    const { server, namespace, proxyUrl } = credentials;
    const headers = Object.entries(await credentials.headers()).map(([name, value]) => [
      name,
      [value].flat(),
    ]);
    const isTls = server.startsWith("https:");
    const tls = isTls ? texts(await credentials.tls()) : {};
    return {
      ...always,
      server,
      namespace,
      ...(proxyUrl === undefined ? {} : { proxy: proxyUrl }),
      ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) as Record<string, string[]> }),
      ...(Object.keys(tls).length === 0 ? {} : { tls }),
    };
  } catch (error) {
    assert.ok(error instanceof KubeConfigError, String(error));
    return { ...always, refused: error.isEmpty ? "empty" : "wrong" };
  }
}

function texts(tls: ClusterTls): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(tls).map(([name, value]) => [name, value instanceof Buffer ? value.toString() : value]),
  );
}

/** WHATWG URLs leave out the usual port and write hosts in lower case, which is the same server. */
function normalized(expected: Expected): Expected {
  const { server } = expected;
  return server === undefined ? expected : { ...expected, server: new URL(server).href.replace(/\/$/, "") };
}
