import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { QueryClient } from "@tanstack/react-query";
import { Api, type RequestOf } from "../../../page/api/api.ts";
import { askFirst } from "../../../page/screens/first-answers.ts";
import type { OperationName } from "../../../src/contract/routes.ts";
import type { Answer } from "../../../src/contract/schemas.ts";

const shell = ["instances suspended=true", "jobs state=waiting-for-approval"];

/** An API that notes what it's asked, and answers when it's let. */
class NotingApi extends Api {
  readonly asked: string[] = [];
  answer: () => Promise<unknown> = () => Promise.resolve({ rows: [], next: null });

  override async call<Name extends OperationName>(
    name: Name,
    { query }: RequestOf<Name>,
  ): Promise<Answer<Name>> {
    const parts = Object.entries(query ?? {}).filter(
      ([key, value]) => key !== "limit" && value !== undefined,
    );
    this.asked.push([name, ...parts.map(([key, value]) => `${key}=${String(value)}`)].join(" "));
    return (await this.answer()) as Answer<Name>;
  }

  /** What it's asked at an address of the page, sorted. */
  async askedAt(address: string): Promise<readonly string[]> {
    await askFirst(new URL(address, "http://console"), { queries: new QueryClient(), api: this });
    return this.asked.toSorted();
  }
}

function asked(address: string): Promise<readonly string[]> {
  return new NotingApi().askedAt(address);
}

describe("what a page asks before it's drawn", () => {
  it("is what the list at its address shows, with the filters of the address", async () => {
    assert.deepEqual(await asked("/"), ["instances sort=name", ...shell]);
    assert.deepEqual(await asked("/instances?q=eu&sync=failed"), [
      "instances sort=name q=eu sync=failed",
      ...shell,
    ]);
    assert.deepEqual(await asked("/workloads?q=api&cursor=abc"), [
      ...shell,
      "workloadFacets sort=id q=api",
      "workloads sort=id q=api cursor=abc",
    ]);
    assert.deepEqual(await asked("/timeline?severity=error"), ["events severity=error", ...shell]);
  });

  it("is what every screen shows, where there's no list", async () => {
    assert.deepEqual(await asked("/account"), shell);
  });

  it("is waited for until there are rows, and not for what is drawn around them", async () => {
    const api = new NotingApi();
    const list = Promise.withResolvers<unknown>();
    api.answer = () => (api.asked.length === 1 ? list.promise : new Promise(() => undefined));
    let isAsked = false;
    const asking = api.askedAt("/workloads").then(() => {
      isAsked = true;
    });

    await new Promise(setImmediate);
    assert.equal(isAsked, false);
    list.resolve({ rows: [], next: null });
    await asking;
  });

  it("leaves a failure to what shows it", async () => {
    const api = new NotingApi();
    api.answer = () => Promise.reject(new Error("no answer"));

    assert.equal((await api.askedAt("/workloads")).length, 4);
  });
});
