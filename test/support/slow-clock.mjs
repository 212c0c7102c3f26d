/** Loaded before a program. Each time that it reads the clock, another second has passed, as on a very busy machine. */
const { now } = Date;
let passed = 0;
Date.now = () => now() + (passed += 1_000);
