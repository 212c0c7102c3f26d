import type { Session } from "node:inspector/promises";
import type { Clock } from "../clock.ts";

/** A profile is already being recorded; only one is possible at a time. */
export class ProfilerBusyError extends Error {
  override readonly name = "ProfilerBusyError";

  constructor() {
    super("another profile is being recorded; try again later");
  }
}

/**
 * Records profiles of this process with V8's profilers. Profiles contain names of functions, and times or sizes. Unlike
 * heap snapshots, they contain none of the program's data.
 */
export class Profiler {
  readonly #clock: Clock;
  #busy = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Where CPU time is spent in the next `ms`, sampled every `intervalUs` microseconds. Resolves to the JSON of a
   * .cpuprofile, which Chrome DevTools and Visual Studio Code can show. Rejects with ProfilerBusyError, or when
   * aborted.
   */
  cpu(ms: number, intervalUs: number, signal: AbortSignal): Promise<string> {
    return this.#alone(async (session) => {
      await session.post("Profiler.enable");
      await session.post("Profiler.setSamplingInterval", { interval: intervalUs });
      await session.post("Profiler.start");
      await this.#clock.sleep(ms, signal);
      const { profile } = await session.post("Profiler.stop");
      return JSON.stringify(profile);
    });
  }

  /**
   * Which functions allocate memory that's still in use after the next `ms`, by samples. Resolves to the JSON of a
   * .heapprofile. Rejects with ProfilerBusyError, or when aborted.
   */
  heap(ms: number, signal: AbortSignal): Promise<string> {
    return this.#alone(async (session) => {
      await session.post("HeapProfiler.enable");
      await session.post("HeapProfiler.startSampling");
      await this.#clock.sleep(ms, signal);
      const { profile } = await session.post("HeapProfiler.stopSampling");
      return JSON.stringify(profile);
    });
  }

  async #alone(take: (session: Session) => Promise<string>): Promise<string> {
    if (this.#busy) {
      throw new ProfilerBusyError();
    }
    this.#busy = true;
    const { Session } = await import("node:inspector/promises");
    const session = new Session();
    try {
      session.connect();
      return await take(session);
    } finally {
      // Also ends what was started.
      session.disconnect();
      this.#busy = false;
    }
  }
}
