import { silentLogger } from "@weir/base";
import { Database } from "../../../hub/src/store/database.ts";
import { addEvents } from "../../../hub/src/store/events.ts";
import type { DatabaseLocation } from "../../../hub/src/store/location.ts";
import { migrate } from "../../../hub/src/store/migrate.ts";
import { listWorkloads, replaceWorkloads, type WorkloadSort } from "../../../hub/src/store/workloads.ts";
import {
  addConnectedInstance,
  addInstance,
  now,
  syncEvent,
  workload,
} from "../../../hub/test/support/stored.ts";
import { note, type Row, row } from "../support/table.ts";
import { percentile, seconds } from "./times.ts";

const sorts: readonly WorkloadSort[] = ["namespace", "health", "newImages", "changedAt"];
const filters = [{}, { search: "app 7" }, { policies: ["automated"] }, { health: ["degraded"] }] as const;

/** Measures the store with 10,000 workloads and 10,000 events. */
export async function measureStore(location: DatabaseLocation): Promise<readonly Row[]> {
  await using database = await Database.open(location, { log: silentLogger });
  await migrate(database);
  const written = await seconds(() => fillWorkloads(database));
  const pages = await timesOfPages(database);
  const id = await addInstance(database.connection, "events");
  const events = Array.from({ length: 10_000 }, (_item, index) => syncEvent(id, String(index)));
  const stored = await seconds(async () => {
    for (let start = 0; start < events.length; start += 100) {
      await addEvents(database.connection, events.slice(start, start + 100), now);
    }
  });
  return [
    note("10,000 workloads written", written, "s"),
    row("a page of 50, in any order and with any filter, 95th percentile", {
      measured: percentile(pages, 0.95) * 1000,
      limit: 100,
      unit: "ms",
    }),
    note("the same, slowest", percentile(pages, 1) * 1000, "ms"),
    row("500 events stored, in batches of 100", {
      measured: (stored / events.length) * 500,
      limit: 1,
      unit: "s",
    }),
  ];
}

async function fillWorkloads({ connection }: Database): Promise<void> {
  const health = ["healthy", "progressing", "degraded", "unknown"] as const;
  for (let index = 0; index < 10; index += 1) {
    const lease = await addConnectedInstance(connection, `instance-${index}`);
    const workloads = Array.from({ length: 1_000 }, (_item, each) =>
      workload(`ns-${each % 20}:deployment/app-${each}`, {
        health: health[each % 4] ?? "unknown",
        containers: [{ name: "main", image: `quay.io/weir/app-${each}:${index}`, newest: "", newer: 0 }],
      }),
    );
    await replaceWorkloads(connection, lease, { workloads, now: now + index });
  }
}

/** In seconds: the first four pages in each order and with each filter. */
async function timesOfPages({ connection }: Database): Promise<readonly number[]> {
  const times: number[] = [];
  for (const sort of sorts) {
    for (const filter of filters) {
      let cursor: string | undefined;
      for (let page = 0; page < 4; page += 1) {
        const request = { sort, descending: false, limit: 50, cursor };
        const read = async (): Promise<void> => {
          const { next } = await listWorkloads(connection, { scope: "everything", ...filter }, request);
          cursor = next;
        };
        times.push(await seconds(read));
      }
    }
  }
  return times;
}
