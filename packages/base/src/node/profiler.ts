import type { Session } from "node:inspector/promises";
import type { Clock } from "../clock.ts";

/** A profile is being taken already; there can be one at a time. */
export class ProfilerBusyError extends Error {
  override readonly name = "ProfilerBusyError";

  constructor() {
    super("a profile is being taken already; try again when it has ended");
  }
}

/**
 * Watches this process at work, with V8's profilers. Profiles name functions and count time or bytes: unlike a heap
 * snapshot they hold nothing of what the program knows.
 */
export class Profiler {
  readonly #clock: Clock;
  #busy = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Where the time goes in the next `ms`, looked at every `intervalUs` microseconds: the JSON of a .cpuprofile, which
   * Chrome's developer tools and Visual Studio Code show. Rejects with ProfilerBusyError, or when aborted.
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
   * Which functions allocate what is still alive after the next `ms`, by samples: the JSON of a .heapprofile. Rejects
   * with ProfilerBusyError, or when aborted.
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
      // Ends what was started, too.
      session.disconnect();
      this.#busy = false;
    }
  }
}
