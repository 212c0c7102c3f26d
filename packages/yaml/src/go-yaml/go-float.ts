/** From this power of ten on, Go prints an exponent, and also below the other one. */
const largestPlain = 6;
const smallestPlain = -4;

/** Prints a float64 like Go's strconv in format 'g' with the fewest digits. */
export function printGoFloat(value: number): string {
  if (Number.isNaN(value)) {
    return "NaN";
  }
  if (!Number.isFinite(value)) {
    return value > 0 ? "+Inf" : "-Inf";
  }
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  const power = Number(exponent);
  const isPlain = power >= smallestPlain && power < largestPlain;
  return sign + (isPlain ? printPlain(digits, power) : printExponent(digits, power));
}

function printExponent(digits: string, power: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
  const sign = power < 0 ? "-" : "+";
  return `${digits.slice(0, 1)}${fraction}e${sign}${Math.abs(power).toString().padStart(2, "0")}`;
}

function printPlain(digits: string, power: number): string {
  if (power < 0) {
    return `0.${"0".repeat(-power - 1)}${digits}`;
  }
  const whole = digits.slice(0, power + 1).padEnd(power + 1, "0");
  const fraction = digits.slice(power + 1);
  return fraction === "" ? whole : `${whole}.${fraction}`;
}
