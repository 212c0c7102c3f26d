import { printGoFloat } from "@weir/yaml/go-yaml";
import type { SopsNumber } from "./tree.ts";

/** A number in decimal digits without an exponent: the form in which it's encrypted and counts for the MAC. */
export function printFixed({ type, value }: SopsNumber): string {
  if (type === "int" || typeof value === "bigint") {
    return String(value);
  }
  if (!Number.isFinite(value)) {
    return printGoFloat(value);
  }
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const digits = mantissa.replaceAll(/[-.]/g, "");
  const point = Number(exponent) + 1;
  if (point <= 0) {
    return `${sign}0${digits === "0" ? "" : `.${"0".repeat(-point)}${digits}`}`;
  }
  const whole = digits.slice(0, point).padEnd(point, "0");
  const fraction = digits.slice(point);
  return sign + whole + (fraction === "" ? "" : `.${fraction}`);
}

/** A number as the text of an env or ini file: a float is recognizable as one. */
export function printInText(number: SopsNumber): string {
  const { type, value } = number;
  if (type === "int" || typeof value === "bigint") {
    return String(value);
  }
  const text = printGoFloat(value).replace("e", "E");
  return /[.E]|Inf|NaN/.test(text) ? text : `${printFixed(number)}.0`;
}
