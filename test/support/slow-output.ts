/** Copies stdin to stdout with at most as many bytes per second as its argument says: a slow connection. */
const perSecond = Number(process.argv[2]);
const pieceMs = 50;
const piece = Math.max(1, Math.floor((perSecond * pieceMs) / 1000));

// The keys of the terminal are for the program before it in the pipe.
process.on("SIGINT", () => undefined);
for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
  for (let at = 0; at < chunk.length; at += piece) {
    process.stdout.write(chunk.subarray(at, at + piece));
    await new Promise((resolve) => setTimeout(resolve, pieceMs));
  }
}
