import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { TempFolder, until } from "@weir/testing";
import { runFluxctl } from "../../../../test/support/fluxctl.ts";
import { Fluxd } from "../../../../test/support/fluxd.ts";
import { deployment } from "../../../../test/support/manifests.ts";
import { TestRepository } from "../../../../test/support/repository.ts";
import { ConsoleServer, runConsole } from "../../support/console-server.ts";
import { describeOnServer } from "../../support/databases.ts";
import type { TestBrowser } from "../../support/test-browser.ts";

const account = { login: "ada", name: "Ada", password: "a horse with a battery that is correct" };

/** Opens the link that a console has logged, which makes the first administrator. */
async function firstAdministrator(console: ConsoleServer): Promise<TestBrowser> {
  const token = await until("the link", () => /\/invitation#(\S+)/.exec(console.log)?.[1]);
  const browser = console.browser();
  await browser.ask("acceptInvitation", { body: { token, ...account } });
  return browser;
}

async function logIn(console: ConsoleServer): Promise<TestBrowser> {
  const browser = console.browser();
  await browser.ask("logIn", { body: { login: account.login, password: account.password } });
  return browser;
}

function connect(
  repository: TestRepository,
  { flux }: ConsoleServer,
  folder: string,
  token: string,
): Promise<Fluxd> {
  const flags = [
    `--embedded-cluster=${join(folder, "cluster")}`,
    `--connect=${flux.replace("http", "ws")}`,
    `--token=${token}`,
  ];
  return Fluxd.start({ gitUrl: repository.url, flags });
}

/** The names of the workloads that a console shows, once the instance is connected and has some. */
function workloadsIn(browser: TestBrowser): Promise<readonly string[]> {
  return until("the workloads", async () => {
    const { rows: instances } = await browser.ask("instances");
    const { rows } = await browser.ask("workloads");
    return instances.every(({ connected }) => connected) && rows.length > 0 && rows.map(({ id }) => id);
  });
}

describeOnServer("weir-console", (databases) => {
  for (const kind of ["PostgreSQL", "PGlite"] as const) {
    it(`lets the first administrator in, shows a fluxd, and forgets nothing when it's started again (${kind})`, async () => {
      using folder = new TempFolder();
      const place = await placeOf(kind, folder);
      await using repository = await TestRepository.create({ "d.yaml": deployment("called") });
      const first = await ConsoleServer.start(place);
      let token: string;
      let secret: string;
      {
        await using console = first;
        const browser = await firstAdministrator(console);
        const created = await browser.ask("createInstance", { body: { name: "prod", description: "" } });
        ({ token } = created);
        await using fluxd = await connect(repository, console, folder.path, token);

        assert.deepEqual(await workloadsIn(browser), ["default:deployment/called"]);
        const body = { name: "fluxctl", scopes: ["write"], instanceId: created.instance.id };
        ({ secret } = await browser.ask("createApiToken", { body }));
        const listed = await runFluxctl(["list-workloads", `--url=${console.flux}`, `--token=${secret}`]);
        assert.match(listed.stdout, /^default:deployment\/called /m);
        const refused = await runFluxctl(["list-workloads", `--url=${console.flux}`, "--token=wrong"]);
        assert.equal(refused.exit, 1);
        const locked = await runFluxctl([
          "lock",
          "--workload=deployment/called",
          `--url=${console.flux}`,
          `--token=${secret}`,
        ]);
        assert.equal(locked.exit, 0, locked.stderr);
        const { rows } = await browser.ask("events", { query: { type: "sync" } });
        assert.notEqual(rows.length, 0);
        assert.equal(await console.stop(), 0);
        assert.ok(![token, secret, account.password].some((each) => console.log.includes(each)));
        await fluxd[Symbol.asyncDispose]();
      }

      await using again = await ConsoleServer.start(place);
      const browser = await logIn(again);
      assert.deepEqual(
        (await browser.ask("instances")).rows.map(({ name, connected, workloads }) => [
          name,
          connected,
          workloads.total,
        ]),
        [["prod", false, 1]],
      );
      assert.notEqual((await browser.ask("events", { query: { type: "sync" } })).rows.length, 0);
      await using fluxd = await connect(repository, again, folder.path, token);
      assert.deepEqual(await workloadsIn(browser), ["default:deployment/called"]);
      assert.ok(!again.log.includes("/invitation#"));
      assert.ok(!fluxd.log.includes(token));
    });
  }

  it("keeps all that it has accepted on its embedded database when it's killed", async () => {
    using folder = new TempFolder();
    const names = Array.from({ length: 20 }, (_item, index) => `instance-${index}`);
    {
      await using console = await ConsoleServer.start({ folder: folder.path });
      const browser = await firstAdministrator(console);
      for (const name of names) {
        await browser.ask("createInstance", { body: { name, description: "" } });
      }
      // Its end kills it.
    }

    await using again = await ConsoleServer.start({ folder: folder.path });
    const browser = await logIn(again);
    const { rows } = await browser.ask("instances");
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), names.toSorted());
  });

  it("writes a backup, from which an embedded database continues", async () => {
    using folder = new TempFolder();
    using other = new TempFolder();
    const place = await placeOf("PostgreSQL", folder);
    const file = join(folder.path, "backup.gz");
    {
      await using console = await ConsoleServer.start(place);
      const browser = await firstAdministrator(console);
      await browser.ask("createInstance", { body: { name: "prod", description: "" } });

      const { code, output } = await runConsole(["backup", file], place);
      assert.equal(code, 0, output);
      assert.match(output, /^Wrote \d+ rows to /);
    }
    const restored = await runConsole(["restore", file], { folder: other.path });
    const twice = await runConsole(["restore", file], { folder: other.path });

    assert.equal(restored.code, 0, restored.output);
    assert.equal(twice.code, 1);
    assert.match(
      twice.output,
      /^Error: the database is not empty, it has rows in instances: restore into a new database$/m,
    );
    await using console = await ConsoleServer.start({ folder: other.path });
    const browser = await logIn(console);
    assert.deepEqual(
      (await browser.ask("instances")).rows.map(({ name }) => name),
      ["prod"],
    );
  });

  it("can be several on one database, each of which reaches the daemons of the other", async () => {
    using folder = new TempFolder();
    const place = await placeOf("PostgreSQL", folder);
    await using repository = await TestRepository.create({ "d.yaml": deployment("called") });
    const openId = ["issuer=https://login.example.com", "client-id=weir", "name=Example"];
    const flags = [...place.flags, ...openId.map((each) => `--openid-${each}`)];
    const both = await Promise.all([ConsoleServer.start({ ...place, flags }), ConsoleServer.start(place)]);
    await using one = both[0];
    await using two = both[1];
    const browser = await firstAdministrator(one);
    const { token, instance } = await browser.ask("createInstance", {
      body: { name: "prod", description: "" },
    });
    const body = { name: "fluxctl", scopes: ["read"], instanceId: instance.id };
    const { secret } = await browser.ask("createApiToken", { body });

    await using fluxd = await connect(repository, one, folder.path, token);
    const elsewhere = await logIn(two);
    assert.deepEqual((await one.browser().ask("loginOptions")).openId, {
      name: "Example",
      path: "/auth/openid/start",
    });

    assert.deepEqual(await workloadsIn(elsewhere), ["default:deployment/called"]);
    const listed = await runFluxctl(["list-workloads", `--url=${two.flux}`, `--token=${secret}`]);
    assert.match(listed.stdout, /^default:deployment\/called /m);
    assert.ok(!fluxd.log.includes(token));
  });

  it("goes by the database's clock where its machine's is years ahead of other consoles'", async () => {
    using folder = new TempFolder();
    const place = await placeOf("PostgreSQL", folder);
    const ahead = join(folder.path, "ahead.mjs");
    writeFileSync(ahead, "const { now } = Date;\nDate.now = () => now() + 2 * 365 * 86_400_000;\n");
    await using right = await ConsoleServer.start(place);
    const browser = await firstAdministrator(right);
    await using wrong = await ConsoleServer.start({ ...place, env: { NODE_OPTIONS: `--import=${ahead}` } });

    const elsewhere = wrong.browser();
    browser.cookies.forEach((value, name) => elsewhere.cookies.set(name, value));
    const there = await elsewhere.call("session");
    await until("the console's clock to be noticed", () =>
      wrong.log.includes("the clock of this machine differs"),
    );

    assert.equal(there.status, 200);
    assert.equal((await browser.call("session")).status, 200);
  });

  it("says what is wrong and what to do, and lists and undoes migrations", async () => {
    using folder = new TempFolder();
    const place = await placeOf("PostgreSQL", folder);
    const run = async (...args: readonly string[]): Promise<string> => {
      const { code, output } = await runConsole(args, place);
      return `${code} ${output.trimEnd().split("\n").at(-1) ?? ""}`;
    };

    assert.match(await run("--lisen=:1"), /^2 Run 'weir-console --help' for usage\.$/);
    assert.match(
      await run("serve", "--openid-issuer=nowhere", ...place.flags),
      /^1 Error: an identity provider needs both --openid-issuer, .*, and --openid-client-id$/,
    );
    assert.match(await run("backup"), /^1 Error: name one file: weir-console backup FILE$/);
    assert.match(await run("serve"), /^1 Error: no key to encrypt secrets with: .* --secret-key-file/);
    assert.match(
      await run("migrate", "--down-to=none"),
      /^1 Error: there is no migration "none": choose one of 0001/,
    );
    assert.match(await run("migrate"), /^0 \S+ {2}done now$/);
    assert.match(await run("migrate", "--down-to=0001-instances"), /^0 \S+ {2}not done now$/);
    assert.match(await run("migrate"), /^0 \S+ {2}done now$/);
    assert.deepEqual(readdirSync(folder.path), ["keys"]);
  });

  async function placeOf(kind: "PostgreSQL" | "PGlite", folder: TempFolder) {
    if (kind === "PGlite") {
      return { folder: folder.path, flags: [] };
    }
    const keys = join(folder.path, "keys");
    writeFileSync(keys, `${Buffer.alloc(32, 7).toString("base64")}\n`, { mode: 0o600 });
    const databaseUrl = await databases.createBlank();
    return { folder: folder.path, databaseUrl, flags: [`--secret-key-file=${keys}`] };
  }
});
