import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DatabaseUrlError, databaseLocation } from "../../../src/store/location.ts";

describe("the location of the database", () => {
  it("is a folder if there's no URL", () => {
    assert.deepEqual(databaseLocation("", "/data"), { kind: "folder", path: "/data" });
  });

  for (const url of [
    "postgres://weir@db/weir",
    "postgresql://weir:p%40ss@db.example.com:5433/weir?sslmode=verify-full",
    "postgresql:///weir?host=/run/postgresql",
    "postgresql://weir@/weir?host=%2Frun%2Fpostgresql",
  ]) {
    it(`is the server of ${url}`, () => {
      assert.deepEqual(databaseLocation(url, "/data"), { kind: "server", url });
    });
  }

  for (const url of [
    "mysql://weir:hunter2@db/weir",
    "db.example.com hunter2",
    "postgresql://we ir:hunter2@[x/",
  ]) {
    it(`isn't told in the error about ${url}`, () => {
      assert.throws(
        () => databaseLocation(url, "/data"),
        (error) => error instanceof DatabaseUrlError && !error.message.includes("hunter2"),
      );
    });
  }
});
