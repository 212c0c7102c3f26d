import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { FakeClock, TempFolder, until } from "@weir/testing";
import { loadKubeConfig } from "../../src/client/kube-config.ts";

interface Parts {
  readonly name?: string;
  readonly server?: string;
  readonly cluster?: object;
  readonly user?: object;
  readonly namespace?: string;
}

/** A kubeconfig in which everything has the same name, as YAML. */
function kubeconfig({
  name = "test",
  server = "https://host:6443",
  cluster = {},
  user = {},
  namespace,
}: Parts): string {
  return JSON.stringify({
    "current-context": name,
    clusters: [{ name, cluster: { server, ...cluster } }],
    users: [{ name, user }],
    contexts: [
      { name, context: { cluster: name, user: name, ...(namespace === undefined ? {} : { namespace }) } },
    ],
  });
}

/** A plugin that counts its runs in a file and answers with a token that tells the run. */
function plugin(folder: TempFolder, expires: string): string {
  const count = join(folder.path, "count");
  const status = `\\"status\\":{\\"token\\":\\"run-$(wc -l < ${count} | tr -d ' ')\\",\\"expirationTimestamp\\":\\"${expires}\\"}`;
  return folder.write(
    "bin/login",
    `#!/bin/sh
echo "$1 $REGION $KUBERNETES_EXEC_INFO" >> ${count}
echo "{\\"apiVersion\\":\\"client.authentication.k8s.io/v1\\",\\"kind\\":\\"ExecCredential\\",${status}}"
`,
    0o700,
  );
}

const exec = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "./bin/login",
  args: ["--quiet"],
  env: [{ name: "REGION", value: "eu" }],
  interactiveMode: "Never",
};
const env = { PATH: process.env["PATH"] };

describe("loadKubeConfig", () => {
  it("says which file it cannot read", async () => {
    await assert.rejects(loadKubeConfig({ kubeconfig: "/nowhere/config", env: {} }), {
      name: "KubeConfigError",
      message:
        "cannot read kubeconfig /nowhere/config: ENOENT: no such file or directory, open '/nowhere/config'",
    });
  });

  it("speaks to the cluster it runs in where there is no kubeconfig", async () => {
    using folder = new TempFolder();
    folder.write("token", "pod-token\n");
    folder.write("namespace", "web");
    folder.write("ca.crt", "the ca");
    const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };

    const credentials = await loadKubeConfig({ env, serviceAccountFolder: folder.path });

    const { server, namespace } = credentials;
    assert.deepEqual(
      [server, namespace, await credentials.headers(), await credentials.tls()],
      ["https://[fd00::1]:443", "web", { Authorization: "Bearer pod-token" }, { ca: Buffer.from("the ca") }],
    );
  });
});

describe("a token file", () => {
  it("is read again after a minute, or when the server refuses the token", async () => {
    using folder = new TempFolder();
    const clock = new FakeClock();
    const file = folder.write("config", kubeconfig({ user: { tokenFile: "token", token: "older" } }));
    folder.write("token", "one\n");
    const credentials = await loadKubeConfig({ kubeconfig: file, env: {}, clock });
    const token = async (): Promise<unknown> => (await credentials.headers())["Authorization"];

    assert.equal(await token(), "Bearer one");
    folder.write("token", "two");
    assert.equal(await token(), "Bearer one");
    await clock.advance(60_000);
    assert.equal(await token(), "Bearer two");
    folder.write("token", "three");
    assert.equal(credentials.renew({ Authorization: "Bearer one" }), true);
    assert.equal(await token(), "Bearer two");
    assert.equal(credentials.renew({ Authorization: "Bearer two" }), true);
    assert.equal(await token(), "Bearer three");
  });

  it("that is not there is an error at the start, and later until it is there again", async () => {
    using folder = new TempFolder();
    const file = folder.write("config", kubeconfig({ user: { tokenFile: "token" } }));
    const load = () => loadKubeConfig({ kubeconfig: file, env: {} });

    await assert.rejects(load(), {
      name: "KubeConfigError",
      message: /^user "test": cannot read the tokenFile \/.*\/token: ENOENT/,
    });
    const path = folder.write("token", "soon gone");
    const credentials = await load();
    rmSync(path);
    await assert.rejects(credentials.headers(), {
      name: "KubeConfigError",
      message: /^cannot read token file /,
    });
    folder.write("token", "");
    await assert.rejects(credentials.headers(), {
      name: "KubeConfigError",
      message: `token file ${path} is empty`,
    });
    folder.write("token", "late");

    assert.deepEqual(await credentials.headers(), { Authorization: "Bearer late" });
  });
});

describe("certificate files", () => {
  it("are read for each connection, so that renewed ones are used", async () => {
    using folder = new TempFolder();
    const user = { "client-certificate": "me.crt", "client-key": "me.key" };
    const file = folder.write("config", kubeconfig({ user, cluster: { "certificate-authority": "ca.crt" } }));
    folder.write("ca.crt", "ca");
    folder.write("me.key", "key");
    folder.write("me.crt", "old");
    const credentials = await loadKubeConfig({ kubeconfig: file, env: {} });

    const before = await credentials.tls();
    folder.write("me.crt", "new");
    const after = await credentials.tls();

    const both = { ca: Buffer.from("ca"), key: Buffer.from("key") };
    assert.deepEqual(
      [before, after],
      [
        { ...both, cert: Buffer.from("old") },
        { ...both, cert: Buffer.from("new") },
      ],
    );
  });
});

describe("an exec plugin", () => {
  it("is run once for all who ask, and again when its credential has expired", async () => {
    using folder = new TempFolder();
    const clock = new FakeClock();
    plugin(folder, "1970-01-01T00:10:00Z");
    const file = folder.write("config", kubeconfig({ user: { exec } }));
    const credentials = await loadKubeConfig({ kubeconfig: file, env, clock });

    const together = await Promise.all([credentials.headers(), credentials.headers(), credentials.tls()]);
    await clock.advance(595_000);
    const later = await Promise.all([credentials.headers(), credentials.headers()]);

    const [first, second] = ["run-1", "run-2"].map((token) => ({ Authorization: `Bearer ${token}` }));
    assert.deepEqual(together, [first, first, {}]);
    assert.deepEqual(later, [second, second]);
  });

  it("is told what is asked of it, and of which cluster where it wants to know", async () => {
    using folder = new TempFolder();
    plugin(folder, "2100-01-01T00:00:00Z");
    const config = kubeconfig({ user: { exec: { ...exec, provideClusterInfo: true } } });
    const credentials = await loadKubeConfig({ kubeconfig: folder.write("config", config), env });

    await credentials.headers();

    const [line = ""] = readFileSync(join(folder.path, "count"), "utf8").split("\n");
    const [argument, region, info] = line.split(" ");
    assert.deepEqual(
      [argument, region, JSON.parse(info ?? "")],
      [
        "--quiet",
        "eu",
        {
          apiVersion: "client.authentication.k8s.io/v1",
          kind: "ExecCredential",
          spec: { interactive: false, cluster: { server: "https://host:6443" } },
        },
      ],
    );
  });

  it("that the server's refusal makes stale is run again, once", async () => {
    using folder = new TempFolder();
    plugin(folder, "2100-01-01T00:00:00Z");
    const credentials = await loadKubeConfig({
      kubeconfig: folder.write("config", kubeconfig({ user: { exec } })),
      env,
    });
    const refused = await credentials.headers();

    credentials.renew(refused);
    const next = await credentials.headers();
    credentials.renew(refused);

    assert.deepEqual(
      [next, await credentials.headers()],
      [{ Authorization: "Bearer run-2" }, { Authorization: "Bearer run-2" }],
    );
  });

  it("that prints without end is ended", async () => {
    using folder = new TempFolder();
    folder.write("bin/login", `#!/bin/sh\necho $$ > ${join(folder.path, "pid")}\nexec yes\n`, 0o700);
    const config = kubeconfig({ user: { exec } });
    const credentials = await loadKubeConfig({ kubeconfig: folder.write("config", config), env });

    await assert.rejects(credentials.headers(), {
      name: "KubeConfigError",
      message: `exec plugin ${join(folder.path, "bin/login")}: stopped because it printed more than 1048576 bytes`,
    });
    const pid = Number(readFileSync(join(folder.path, "pid"), "utf8"));
    await until("its end", () => !existsSync(`/proc/${pid}`));
  });

  it("that fails is named with its exit code and the hint how to install it", async () => {
    using folder = new TempFolder();
    folder.write("bin/login", "#!/bin/sh\necho s3cret\nexit 3\n", 0o700);
    const config = kubeconfig({ user: { exec: { ...exec, installHint: "Install login." } } });
    const credentials = await loadKubeConfig({ kubeconfig: folder.write("config", config), env });

    await assert.rejects(credentials.headers(), {
      name: "KubeConfigError",
      message: `exec plugin ${join(folder.path, "bin/login")}: failed with exit code 3\nInstall login.`,
    });
  });

  it("that isn't installed is named, and where to correct it", async () => {
    using folder = new TempFolder();
    const config = kubeconfig({ user: { exec: { ...exec, command: "no-such-login" } } });
    const credentials = await loadKubeConfig({ kubeconfig: folder.write("config", config), env });

    await assert.rejects(credentials.headers(), {
      name: "KubeConfigError",
      message: "exec plugin no-such-login: not found; install it, or correct exec.command in the kubeconfig",
    });
  });

  it("that hangs ends with the signal", async () => {
    using folder = new TempFolder();
    folder.write("bin/login", "#!/bin/sh\nexec sleep 600\n", 0o700);
    const stopping = new AbortController();
    const { signal } = stopping;
    const file = folder.write("config", kubeconfig({ user: { exec } }));
    const credentials = await loadKubeConfig({ kubeconfig: file, env, signal });

    const headers = credentials.headers();
    stopping.abort(new Error("enough"));

    await assert.rejects(headers, { name: "KubeConfigError", message: /The operation was aborted/ });
  });
});
