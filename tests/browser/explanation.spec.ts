// The explanation of a cell: its numbers multiply out, it follows every way of pointing, and the address keeps it.
import type { Locator } from "@playwright/test";
import { expect, type Reader, test } from "./fixtures.ts";

/** The numbers that a formula prints, powers of ten worked out; a MathML minus before one belongs to the formula. */
function numbers(formula: Locator): Promise<number[]> {
  return formula.locator("math").evaluateAll((formulas) =>
    formulas.flatMap((math) => {
      const inSymbols = (node: Element) => node.closest("msub, msubsup, msup") !== null;
      const plain = [...math.querySelectorAll("mn")].filter((node) => !inSymbols(node));
      return plain.map((node) => {
        const power = node.parentElement?.querySelector(":scope > msup > mn:last-child")?.textContent ?? "0";
        return Number(`${node.textContent}e${power}`.replaceAll("\u2212", "-"));
      });
    }),
  );
}

const within = (x: number | undefined, y: number) =>
  expect(Math.abs((x ?? Number.NaN) - y) / Math.abs(y)).toBeLessThan(2e-3);

interface Row {
  score: number[];
  largest: number;
  exponential: number[];
  sum: number;
  alpha: number[];
  h: number[];
  h_bar: number[];
  d_h: number;
}

/** The row behind the explanation, as the module gave it. */
const rowOf = (reader: Reader): Promise<Row> =>
  reader.explanation.evaluate((element) => {
    const { row } = (element as unknown as { explained: { row: Record<string, unknown> } }).explained;
    const plain = Object.entries(row).map(([name, part]) => [name, part instanceof Float32Array ? [...part] : part]);
    return Object.fromEntries(plain) as Row;
  });

test("score, exponential, sum and weight multiply out for any cell", async ({ open }) => {
  const reader = await open();
  const { source, tokens, alpha } = await reader.mapData();
  const S = source.length;
  for (const [t, i] of [
    [0, 9],
    [4, 4],
    [4, 0],
    [10, 3],
    [tokens.length - 1, S - 1],
  ] as const) {
    await reader.cell(t, i).hover();
    await expect(reader.explanation.locator(".place")).toContainText(`row ${t + 1} writes`);
    await expect(reader.explanation.locator(".place")).toContainText(`(position\u00a0${i + 1})`);
    const [score] = await numbers(reader.explanation.locator("dd.score"));
    const [, largest, exponential = 0] = await numbers(reader.explanation.locator("dd.exponential"));
    const [sum = 0] = await numbers(reader.explanation.locator("dd.sum"));
    const weight = (await numbers(reader.explanation.locator("dd.weight"))).at(-1);
    const row = await rowOf(reader);
    within(score, row.score[i] ?? 0);
    within(largest, Math.max(...row.score));
    within(exponential, Math.exp((row.score[i] ?? 0) - row.largest));
    within(
      sum,
      row.exponential.reduce((total, x) => total + x, 0),
    );
    const [before = 0] = await numbers(reader.explanation.locator("dd.exponential"));
    // Whoever calculates with the numbers as printed arrives at what is printed, but for the last digit.
    const difference = (x: number, y: number) => Math.abs(x - y) / y;
    expect(difference(Math.exp(before - (largest ?? 0)), exponential)).toBeLessThan(1.1e-4);
    expect(difference(exponential / sum, weight ?? 0)).toBeLessThan(2e-4);
    within(weight, alpha[t * S + i] ?? 0);
    expect(row.alpha).toEqual(alpha.slice(t * S, (t + 1) * S));
  }
});

test("the parts add up to the average read, and the shares to 100 %", async ({ page, open }) => {
  const reader = await open();
  const { source } = await reader.mapData();
  await reader.region.focus();
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Home");
  let shares = 0;
  for (let i = 0; i < source.length; ++i) {
    await expect(reader.explanation.locator(".place")).toContainText(`(position\u00a0${i + 1})`);
    const said = await reader.explanation.locator(".share").textContent();
    shares += Number(said?.match(/([\u2212\d.]+)\s%/)?.[1]?.replace("\u2212", "-"));
    await page.keyboard.press("ArrowRight");
  }
  expect(Math.abs(shares - 100)).toBeLessThan(0.05 * source.length);
  const { alpha, h, h_bar, d_h } = await rowOf(reader);
  for (let k = 0; k < d_h; ++k) {
    const sum = alpha.reduce((total, weight, i) => total + weight * (h[i * d_h + k] ?? 0), 0);
    expect(Math.abs(sum - (h_bar[k] ?? Number.NaN))).toBeLessThan(1e-5);
  }
});

test("the formula is MathML and names the equation of the score", async ({ page, open }) => {
  const reader = await open();
  await expect(reader.explanation.locator("dt").first()).toHaveText("Score (Eq. 9)");
  const formula = reader.explanation.locator("dd.score math").first();
  expect(await formula.evaluate((element) => element.namespaceURI)).toBe("http://www.w3.org/1998/Math/MathML");
  const { width, height } = (await formula.boundingBox()) ?? { width: 0, height: 0 };
  expect(width).toBeGreaterThan(20);
  expect(height).toBeGreaterThan(10);
  for (const [model, equation] of [
    ["general", 10],
    ["additive", 11],
  ] as const) {
    if ((await page.getByLabel("Model", { exact: true }).locator(`option[value=${model}]`).count()) === 0) continue;
    await page.getByLabel("Model", { exact: true }).selectOption(model);
    await expect(reader.explanation.locator("dt").first()).toHaveText(`Score (Eq. ${equation})`);
    await expect(reader.explanation.locator(".place")).toContainText(`${model} attention: row 1`);
  }
});

test("hover, focus and tap explain the same cell in the same words", async ({ page, open }) => {
  const reader = await open();
  const place = reader.explanation.locator(".place");
  await reader.cell(2, 2).hover();
  await expect(place).toContainText("row 3 writes");
  const [words, formula] = [await place.textContent(), await reader.explanation.locator("dd.weight").textContent()];
  await page.mouse.move(2, 2);
  await expect(place).not.toHaveText(words ?? "");
  await reader.region.focus();
  await page.keyboard.press("Home");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await expect(place).toHaveText(words ?? "");
  await expect(reader.explanation.locator("dd.weight")).toHaveText(formula ?? "");
  await page.keyboard.press("Escape");
  await expect(place).not.toHaveText(words ?? "");
  const { x, y, width, height } = (await reader.cell(2, 2).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = { clientX: x + width / 2, clientY: y + height / 2, pointerType: "touch" };
  await reader.cell(2, 2).dispatchEvent("pointerdown", at);
  await expect(place).toHaveText(words ?? "");
});

test("everything that speaks of a cell lights up together", async ({ page, open }) => {
  const reader = await open();
  const { tokens } = await reader.mapData();
  await page.getByRole("button", { name: "Show as a table" }).click();
  await reader.cell(6, 4).hover();
  const lit = async () => {
    await expect(page.locator("sa-source-echo .lit")).toHaveText("r");
    await expect(page.locator(".answer.first sa-answer .lit")).toHaveText(tokens[6] ?? "");
    await expect(reader.map.locator("text.column.lit")).toHaveText("r");
    await expect(reader.map.locator("text.row.lit")).toHaveText(tokens[6] ?? "");
    await expect(reader.map.locator(".band:not([hidden])")).toHaveCount(2);
    await expect(reader.map.locator(".ring")).toBeVisible();
    await expect(reader.map.locator("thead .lit")).toHaveText("r (5)");
    await expect(reader.map.locator("tbody th.lit")).toHaveText(tokens[6] ?? "");
    await expect(reader.map.locator("td.lit")).toHaveCount(1);
    await expect(reader.explanation.locator(".letters .lit")).toHaveText("r");
    await expect(reader.explanation.locator(".bars.alpha .lit")).toHaveCount(1);
    await expect(reader.explanation.locator(".place")).toContainText("row 7");
  };
  await lit();
  // The same from the table, and from a bar of the explanation.
  await page.mouse.move(2, 2);
  await expect(reader.map.locator("td.lit")).toHaveCount(0);
  await reader.map.locator("tbody tr").nth(6).locator("td").nth(4).hover();
  await lit();
  await reader.explanation.locator(".bars.score .target").nth(9).hover();
  await expect(reader.map.locator("text.column.lit")).toHaveText("0");
  await expect(page.locator("sa-source-echo .lit")).toHaveText("0");
});

test("a click keeps a cell, the address holds it, and a reload brings it back", async ({ page, open }) => {
  const reader = await open();
  const place = reader.explanation.locator(".place");
  await reader.cell(4, 7).click();
  await expect(page).toHaveURL(/\?cell=5-8$/);
  await page.mouse.move(2, 2);
  await expect(reader.map.locator(".pin")).toBeVisible();
  const words = await place.textContent();
  expect(words).toContain("row 5 writes");
  await page.reload();
  await expect(place).toHaveText(words ?? "");
  await expect(reader.map.locator(".pin")).toBeVisible();
  const keep = reader.explanation.getByRole("button", { name: "Keep" });
  await expect(keep).toHaveAttribute("aria-pressed", "true");
  // Pointing elsewhere explains that; leaving comes back to the cell kept.
  await reader.cell(0, 0).hover();
  await expect(place).toContainText("row 1 writes");
  await page.mouse.move(2, 2);
  await expect(place).toHaveText(words ?? "");
  await keep.click();
  await expect(page).toHaveURL(/\/$/);
  await expect(reader.map.locator(".pin")).toBeHidden();
});

test("the keyboard keeps a cell with Enter and lets go with Escape", async ({ page, open }) => {
  const reader = await open();
  await reader.region.focus();
  for (const key of ["Home", "ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await expect(page).toHaveURL(/\?cell=2-2$/);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/\/$/);
});

test("a cell kept goes with its text, and one that is not on the map is left alone", async ({ page, open }) => {
  const reader = await open("?text=13%20Jul%201914&cell=2-3");
  await expect(reader.explanation.locator(".place")).toContainText("row 2 writes");
  await reader.read("3 March 2021");
  await expect(page).toHaveURL(/\/$/);
  await expect(reader.map.locator(".pin")).toBeHidden();
  const far = await open("?cell=400-400");
  await expect(far.explanation.locator(".place")).toContainText("row 1 writes");
});

test("the explanation follows the text while someone types", async ({ open }) => {
  const reader = await open();
  await reader.read("13 Jul 1914");
  await expect.poll(async () => (await rowOf(reader)).alpha).toHaveLength(11);
  const { alpha } = await reader.mapData();
  expect((await rowOf(reader)).alpha).toEqual(alpha.slice(0, 11));
});

test("it stands beside the map where there is room, else under it", async ({ page, open }) => {
  const reader = await open();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(async () => {
    const [map, explanation] = [await reader.map.boundingBox(), await reader.explanation.boundingBox()];
    expect(explanation?.x).toBeGreaterThanOrEqual((map?.x ?? 0) + (map?.width ?? 0));
  }).toPass({ timeout: 3000 });
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(async () => {
    const [map, explanation] = [await reader.map.boundingBox(), await reader.explanation.boundingBox()];
    expect(explanation?.y).toBeGreaterThanOrEqual((map?.y ?? 0) + (map?.height ?? 0));
  }).toPass({ timeout: 3000 });
});

test("on a narrow screen row and part are folded away, and open at a tap", async ({ page, open }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { explanation } = await open();
  const folds = explanation.locator("details");
  await expect(folds).toHaveCount(2);
  await expect(explanation.locator(".lines").first()).toBeHidden();
  await explanation.getByText("All of row 1").click();
  await expect(explanation.locator(".lines").first()).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect(folds).toHaveCount(0);
  await expect(explanation.locator(".lines")).toHaveCount(2);
});

test("before the lab it waits with the map", async ({ page, open }) => {
  const reader = await open("?lab=before&cell=5-8");
  await expect(reader.answer).toHaveText(/\d/);
  await expect(reader.explanation).toHaveCount(0);
  await page.getByRole("button", { name: "Show the attention map" }).click();
  await expect(reader.explanation.locator(".place")).toContainText("row 5 writes");
});
