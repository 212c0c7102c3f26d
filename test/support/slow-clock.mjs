/** Loaded before a program: each look at the clock finds that a second has passed, as on a machine that is very busy. */
const { now } = Date;
let passed = 0;
Date.now = () => now() + (passed += 1_000);
