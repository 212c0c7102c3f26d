import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "@weir/testing";
import type { Grant } from "../../../../src/access/actor.ts";
import { AccessConsole } from "../../../support/access-console.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";

const everything: Grant = { role: "administrator", instanceId: null, namespace: null };

const wanted = { name: "ci", scopes: ["read"], instanceId: null, namespace: null, expiresAt: null };

describeOnBothDatabases("the audit log of a console", (databases) => {
  it("has an entry while something is being done, which stays if the console dies", async () => {
    await using database = await databases.open();
    let end = (): void => undefined;
    await using console = await AccessConsole.start(database, {
      handlers: { logOut: () => new Promise((resolve) => (end = () => resolve(undefined))) },
    });
    const ada = await console.user("ada", everything);

    const answer = ada.call("logOut");
    const [entry] = await until("an entry", async () => {
      const entries = await console.audited();
      return entries.length > 0 && entries;
    });
    end();
    await answer;

    const { id, at, action, actorName, outcome } = entry ?? assert.fail();
    assert.deepEqual([action, actorName, outcome], ["logOut", "ada", "begun"]);
    const after = await console.audited();
    assert.equal(after.length, 1);
    assert.partialDeepStrictEqual(after[0], { id, at, action, actorName, outcome: "done" });
  });

  it("keeps everything from being done that it can't have", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database);
    const ada = await console.user("ada", everything);
    await database.connection.schema.dropTable("audit").cascade().execute();

    const { status, problem } = await ada.call("createApiToken", { body: wanted });

    assert.equal(status, 503);
    assert.match(problem, /wasn't done, because the audit log can't be written/);
    assert.deepEqual((await ada.ask("apiTokens")).rows, []);
    assert.match(console.log.lines.join("\n"), /cannot write to the audit log.*createApiToken/);
  });

  it("says of a login who it was in the end", async () => {
    await using database = await databases.open();
    await using console = await AccessConsole.start(database);
    const ada = await console.user("ada", everything);
    const { path } = await ada.ask("invite", { body: { login: "bob", grants: [everything] } });
    const [, token] = path.split("#");

    await ada.ask("acceptInvitation", { body: { token, password: "correct horse battery" } });

    const [accepted] = await console.audited();
    assert.partialDeepStrictEqual(accepted, {
      action: "acceptInvitation",
      outcome: "done",
      actorName: "bob",
    });
  });
});
