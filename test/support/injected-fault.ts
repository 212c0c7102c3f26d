/**
 * Loaded before a program (`node --import`), throws in it what nobody catches: INJECTED_FAULT says how and when, and
 * INJECTED_MESSAGE with which message. A fault of ours cannot be had in an honest way, for none is known.
 */
const message = process.env["INJECTED_MESSAGE"] ?? "";

function fail(): void {
  throw new Error(message);
}

const faults: Readonly<Record<string, () => void>> = {
  "exception on SIGUSR2": () => process.on("SIGUSR2", fail),
  "rejection on SIGUSR2": () => process.on("SIGUSR2", () => void Promise.resolve().then(fail)),
  "exception when it waits for SIGINT": () =>
    process.on("newListener", (event) => event === "SIGINT" && process.nextTick(fail)),
};

faults[process.env["INJECTED_FAULT"] ?? ""]?.();

export {};
