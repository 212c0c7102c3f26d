import { inspectionRoutes, routes } from "@weir/flux/api";
import type { HttpExample } from "./http-examples.ts";
import { type Exchange, fill, inLines, isUnderWay, type Known } from "./page.ts";

const allRoutes = { ...routes, ...inspectionRoutes };

/** Sends requests to a daemon over HTTP, one after the other. */
export class HttpAsker {
  readonly #base: string;
  readonly #untilSynced: () => Promise<void>;

  /** `untilSynced` resolves when the daemon has synced all commits. */
  constructor(base: string, untilSynced: () => Promise<void>) {
    this.#base = base;
    this.#untilSynced = untilSynced;
  }

  async askAll(examples: readonly HttpExample[], known: Known): Promise<readonly Exchange[]> {
    let job = "";
    const exchanges: Exchange[] = [];
    for (const example of examples) {
      if (example.isAfterSync === true) {
        await this.#untilSynced();
      }
      let { exchange, answer } = await this.#ask(example, { ...known, job });
      while (isUnderWay(answer)) {
        ({ exchange, answer } = await this.#ask(example, { ...known, job }));
      }
      exchanges.push(exchange);
      job = jobIn(answer) ?? job;
      await this.#untilDone(jobIn(answer));
    }
    return exchanges;
  }

  /** Jobs end before the next request, whose answer may depend on them. */
  async #untilDone(job: string | undefined): Promise<void> {
    const status = { route: "jobStatus", description: "", query: "?id={job}" } as const;
    while (job !== undefined && isUnderWay((await this.#ask(status, { job })).answer)) {
      // Asked again.
    }
  }

  async #ask(
    { route, description, query = "", method, body }: HttpExample,
    known: Known,
  ): Promise<{ readonly exchange: Exchange; readonly answer: string }> {
    const { path, methods } = allRoutes[route];
    const verb = method ?? methods.find((each) => each !== "HEAD") ?? "GET";
    const url = `${this.#base}${path}${fill(query, known)}`;
    const sent = body === undefined ? undefined : fill(JSON.stringify(body), known);
    const response = await fetch(url, {
      method: verb,
      headers: { Accept: "application/json" },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const answer = await response.text();
    const status = `${response.status} ${response.statusText}`;
    const shown = answer === "" ? status : `${status}\n${inLines(answer)}`;
    return {
      answer,
      exchange: {
        title: `${verb} ${path}`,
        description,
        request: [
          "curl",
          ...(verb === "GET" ? [] : [`-X ${verb}`]),
          ...(sent === undefined ? [] : [`-d '${sent}'`]),
          `'${url}'`,
        ].join(" "),
        answer: shown,
      },
    };
  }
}

/** The ID of a job, if that's what the answer is. */
function jobIn(answer: string): string | undefined {
  return /^"([0-9a-f]{8}-[0-9a-f-]{27})"$/.exec(answer.trim())?.[1];
}
