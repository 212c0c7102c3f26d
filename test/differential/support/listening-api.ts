import type { JsonValue } from "@weir/base";
import { encodeUpdateSpec } from "@weir/flux";
import { encodeChange } from "@weir/flux/api";
import { type Listening, listen } from "../../../src/api/server/listen.ts";
import { createApp } from "../../../src/api/server/server.ts";
import { standInApiServer } from "../../support/api-server-stand-in.ts";
import { ask } from "../../support/raw-http.ts";

/** What became of a request. */
export interface Answered {
  readonly status: number;
  /** What the daemon was asked for, as it goes into results and notes. */
  readonly called: readonly JsonValue[];
  /** Why a request was refused that could not be read. */
  readonly text: string;
}

/** An API server behind which calls come to rest in a list. */
export class ListeningApi {
  #listening: Listening | undefined;
  #called: JsonValue[] = [];

  async start(): Promise<void> {
    const note = (call: JsonValue): Promise<string> => {
      this.#called.push(call);
      return Promise.resolve("job-1");
    };
    const { api } = standInApiServer({
      updateManifests: (spec) => note(encodeUpdateSpec(spec)),
      notifyChange: async (change) => {
        await note(encodeChange(change));
      },
      listWorkloads: async ({ namespace, workloads }) => {
        await note({ namespace, workloads });
        return [];
      },
    });
    const metrics = () => Promise.resolve({ contentType: "text/plain", body: "" });
    this.#listening = await listen(createApp({ api, metrics }), "127.0.0.1:0");
  }

  /** Sends a request, and tells what became of it. */
  async call(method: string, path: string, body?: string): Promise<Answered> {
    this.#called = [];
    const headers = { Accept: "text/plain" };
    const asked = { method, path: `/api/flux${path}`, headers, ...(body === undefined ? {} : { body }) };
    const answer = await ask(this.#listening?.address ?? "", asked);
    return { status: answer.status, called: this.#called, text: answer.status === 400 ? answer.body : "" };
  }

  async stop(): Promise<void> {
    await this.#listening?.stop();
  }
}
