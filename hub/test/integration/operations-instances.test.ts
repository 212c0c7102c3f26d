import assert from "node:assert/strict";
import { it } from "node:test";
import { DialError } from "../../../src/api/upstream/errors.ts";
import type { Database } from "../../src/store/database.ts";
import { findInstancesByToken } from "../../src/store/instances.ts";
import { hashOfSecret } from "../../src/store/secret-hash.ts";
import { ConsoleOverHttp } from "../support/console-over-http.ts";
import { describeOnBothDatabases } from "../support/databases.ts";

describeOnBothDatabases("instances over REST", (databases) => {
  it("get a token that is shown once, and with which their daemon connects", async () => {
    await using database = await databases.open();
    await using over = await start(database);

    const { instance, token, flags } = await over.ask("ada", "createInstance", { body: { name: "prod" } });
    await over.console.connect({ token });
    await over.console.instanceWhen(instance.id, "the daemon", ({ connected }) => connected);

    const { url } = over.console;
    assert.deepEqual(flags, [`--connect=${url.replace("http", "ws")}`, `--token=${token}`]);
    const { rows } = await over.ask("ada", "instances", {});
    assert.deepEqual(
      rows.map(({ name, connected }) => [name, connected]),
      [["prod", true]],
    );
    const stored = JSON.stringify(await database.connection.selectFrom("instances").selectAll().execute());
    assert.equal(stored.includes(token), false);
    assert.equal(JSON.stringify(over.audited).includes(token), false);
    assert.deepEqual(
      over.audited.map(({ action, subject, instanceId }) => [action, subject, instanceId]),
      [["createInstance", "prod", instance.id]],
    );
  });

  it("are made and changed only by administrators of all of it", async () => {
    await using database = await databases.open();
    await using over = await start(database);
    const prod = await over.console.addInstance("prod", "t1");
    const test = await over.console.addInstance("test", "t2");
    await over.addPerson("rita", { role: "administrator", instanceId: prod });
    await over.addPerson("nils", { role: "administrator", instanceId: prod, namespace: "shop" });
    const body = { name: "mine" };

    assert.match(await over.refusal("rita", "createInstance", { body }), /^403 /);
    assert.match(await over.refusal("nils", "changeInstance", { path: { instance: prod }, body }), /^403 /);
    assert.match(await over.refusal("nils", "removeInstance", { path: { instance: prod } }), /^403 /);
    assert.match(await over.refusal("nils", "renewToken", { path: { instance: prod } }), /^403 /);
    assert.match(await over.refusal("rita", "renewToken", { path: { instance: test } }), /^404 /);
    const changed = await over.ask("rita", "changeInstance", { path: { instance: prod }, body });
    assert.deepEqual([changed.name, changed.description], ["mine", ""]);
    const taken = { path: { instance: prod }, body: { name: "test" } };
    assert.match(await over.refusal("rita", "changeInstance", taken), /^409 There is another instance/);
    assert.deepEqual(
      over.audited
        .filter(({ action, outcome }) => action === "changeInstance" && outcome === "done")
        .map(({ subject, detail }) => [subject, detail]),
      [["prod", { changed: ["name"], to: "mine" }]],
    );
  });

  it("cut off the daemon that has the old token, at once", async () => {
    await using database = await databases.open();
    await using over = await start(database);
    const created = await over.ask("ada", "createInstance", { body: { name: "prod" } });
    const old = await over.console.connect({ token: created.token });
    const path = { instance: created.instance.id };
    await over.console.instanceWhen(path.instance, "the daemon", ({ connected }) => connected);

    const { token } = await over.ask("ada", "renewToken", { path });
    await old.closed;

    await assert.rejects(over.console.connect({ token: created.token }), DialError);
    await over.console.connect({ token });
    await over.console.instanceWhen(path.instance, "the daemon", ({ connected }) => connected);
    assert.match(await over.refusal("ada", "renewToken", { path: { instance: "none" } }), /^404 /);
  });

  it("are gone with their daemon when they're removed", async () => {
    await using database = await databases.open();
    await using over = await start(database);
    const { token, instance } = await over.ask("ada", "createInstance", { body: { name: "prod" } });
    const daemon = await over.console.connect({ token });
    const path = { instance: instance.id };
    await over.console.instanceWhen(instance.id, "the daemon", ({ connected }) => connected);

    await over.ask("ada", "removeInstance", { path });
    await daemon.closed;

    await assert.rejects(over.console.connect({ token }), DialError);
    assert.deepEqual(await findInstancesByToken(database.connection, [hashOfSecret(token)]), new Map());
    assert.match(await over.refusal("ada", "removeInstance", { path }), /^404 /);
    assert.match(await over.refusal("ada", "instance", { path }), /^404 /);
  });

  it("are suspended and resumed, with a reason for everyone", async () => {
    await using database = await databases.open();
    await using over = await start(database);
    const { token, instance } = await over.ask("ada", "createInstance", { body: { name: "prod" } });
    const path = { instance: instance.id };
    const body = { suspended: true, reason: "Load test" };
    await over.addPerson("nils", { role: "operator", instanceId: instance.id, namespace: "shop" });
    assert.match(await over.refusal("ada", "suspend", { path, body }), /^503 The daemon can't be reached/);
    await over.console.connect({ token, inspection: {} });
    await over.console.instanceWhen(instance.id, "the daemon", ({ connected }) => connected);

    assert.match(await over.refusal("nils", "suspend", { path, body }), /^403 .*whole instance/);
    await over.ask("ada", "suspend", { path, body });
    const suspended = await over.ask("ada", "instance", { path });
    await over.ask("ada", "suspend", { path, body: { suspended: false } });
    const resumed = await over.ask("ada", "instance", { path });

    assert.equal(suspended.suspended, true);
    assert.match(suspended.suspendedReason, /suspended by ada because: Load test/);
    assert.deepEqual([resumed.suspended, resumed.suspendedReason], [false, ""]);
  });

  it("can't be suspended if their daemon is one of Flux v1", async () => {
    await using database = await databases.open();
    await using over = await start(database);
    for (const version of [6, 11]) {
      const { token, instance } = await over.ask("ada", "createInstance", { body: { name: `v${version}` } });
      await over.console.connect({ token, version });
      await over.console.instanceWhen(instance.id, "the daemon", ({ connected }) => connected);

      const sent = { path: { instance: instance.id }, body: { suspended: true } };
      assert.match(await over.refusal("ada", "suspend", sent), /^422 Suspending needs Weir's fluxd/);
    }
  });
});

async function start(database: Database): Promise<ConsoleOverHttp> {
  const over = await ConsoleOverHttp.start(database);
  await over.addPerson("ada", { role: "administrator" });
  return over;
}
