// The kinds of questions that a page asks before and after a demo, how an answer is read, and whether it is right.

interface Asked {
  prompt: string;
}
/** One of several answers, by name. */
export interface Choice extends Asked {
  kind: "choice";
  options: Readonly<Record<string, string>>;
}
/** A number. */
export interface Quantity extends Asked {
  kind: "number";
  unit: string;
}
/** Shares from 0 to 1, one for each label. */
export interface Shares extends Asked {
  kind: "shares";
  labels: readonly string[];
}
export type Prediction = Choice | Quantity | Shares;

/** Choices are right by name, numbers within a tolerance. */
export type Check = ((Choice & { right: string }) | (Quantity & { right: number; tolerance: number })) & {
  why: string;
};

/** A typed number, or null for what is none; a decimal comma counts as a point. */
export function numberOf(written: string): number | null {
  const value = Number(written.trim().replace(",", "."));
  return written.trim() === "" || !Number.isFinite(value) ? null : value;
}

export function isRight(check: Check, answer: string): boolean {
  if (check.kind === "choice") return answer === check.right;
  const given = numberOf(answer);
  return given !== null && Math.abs(given - check.right) <= check.tolerance;
}
