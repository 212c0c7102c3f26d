import { describe, it } from "node:test";
import { RuleTester } from "oxlint/plugins-dev";
import { fewParameters } from "../../../scripts/lint/few-parameters.ts";

RuleTester.describe = (title, tests) => void describe(title, tests);
RuleTester.it = (title, test) => void it(title, test);

const tester = new RuleTester({ languageOptions: { parserOptions: { lang: "ts" } } });
const one = [{ message: /Take an object with named fields/ }];

tester.run("few-parameters", fewParameters, {
  valid: [
    "export function f(a, b, c) {}",
    "function f(a, b, c, d, e) {}",
    "export function f(a, b, c, signal) {}",
    "export function f(a, b, c, signal = never) {}",
    "export function f(a, b, c, stop: AbortSignal) {}",
    "export function f(a, b, c, stop: AbortSignal = never) {}",
    "export class A extends Error { constructor(a, b, c, options?: ErrorOptions) {} }",
    "export class A { #f(a, b, c, d) {} private g(a, b, c, d) {} h = 1; [key: string]: unknown }",
    "class A { f(a, b, c, d) {} }",
    "export interface A { f(a, b, c): void; g: (a, b, c, signal) => void; h: string }",
    "export type F = (a, b, c) => void; export type G = string; export enum E { a } export { x }; const x = 1;",
    "export const x = 1, y = (a, b, c) => 2;",
  ],
  invalid: [
    { code: "export function f(a, b, c, d) {}", errors: one },
    { code: "export async function f(a, b, c, { d }) {}", errors: one },
    { code: "export function f(a, b, c, d, signal) {}", errors: one },
    { code: "export function f(a, b, c, ...d) {}", errors: one },
    { code: "export const f = (a, b, c, d) => 1, g = async (a, b, c, d) => 1;", errors: [...one, ...one] },
    { code: "export const f = function (a, b, c, d) {};", errors: one },
    { code: "export class A { constructor(a, b, c, d) {} }", errors: one },
    { code: "export class A { static f(a, b, c, d) {} }", errors: one },
    { code: "export class A { protected f = (a, b, c, d) => 1; }", errors: one },
    { code: "export abstract class A { abstract f(a, b, c, d): void; }", errors: one },
    { code: "export interface A { f(a, b, c, d): void; g: (a, b, c, d) => void }", errors: [...one, ...one] },
    { code: "export type F = (a, b, c, d) => void;", errors: one },
  ],
});
