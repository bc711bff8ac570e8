// What a visitor does with the page: types dates, reads the answer, the map and its table, draws test examples.
import { expect, test } from "./fixtures.ts";

test("the answer and the map of 3 March 2021 are there on arrival", async ({ open }) => {
  const reader = await open();
  await expect(reader.box).toHaveValue("3 March 2021");
  await expect(reader.answer).toHaveText(/^\d{4}-\d\d-\d\d$/);
  await expect(reader.other).toHaveText(/\d/);
  const { source, tokens, alpha } = await reader.mapData();
  expect(source).toBe("3 March 2021");
  expect(tokens.at(-1)).toBe("<eos>");
  expect(alpha).toHaveLength(tokens.length * 12);
});

test("typing a date updates answer, map and table", async ({ open }) => {
  const reader = await open();
  await reader.box.fill("");
  await reader.box.pressSequentially("13 Jul 1914", { delay: 5 });
  await expect.poll(async () => (await reader.mapData()).source).toBe("13 Jul 1914");
  const { tokens, alpha } = await reader.mapData();
  await expect(reader.answer).toHaveText(tokens.slice(0, -1).join(""));
  const table = reader.map.getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveCount(1 + 11);
  await expect(table.getByRole("rowheader")).toHaveText(tokens);
  const cells = await table.getByRole("cell").allTextContents();
  expect(cells).toEqual(alpha.map((weight) => weight.toFixed(3)));
});

test("equal letters keep their own rows and columns: 11 November 2011 (L52)", async ({ open }) => {
  const reader = await open();
  await reader.read("11 November 2011");
  await expect(reader.map.locator("text.column")).toHaveCount(16);
  await expect(reader.map.locator("text.row")).toHaveCount(11);
  await expect(reader.map.locator("rect[data-t]")).toHaveCount(16 * 11);
  const places = await reader.map
    .locator("text.column")
    .evaluateAll((labels) => labels.map((label) => label.getAttribute("x")));
  expect(new Set(places).size).toBe(16);
});

test("labels are readable and in the order of the text (L54)", async ({ open }) => {
  const reader = await open();
  const { tokens } = await reader.read("Mar 4, 1958; 2021/3/3");
  const columns = await reader.map.locator("text.column").allTextContents();
  expect(columns.join("")).toBe("Mar\u24234,\u24231958;\u24232021/3/3");
  expect(await reader.map.locator("text.row").allTextContents()).toEqual(
    tokens.map((token) => (token === " " ? "\u2423" : token)),
  );
});

test("@slow the map and the table agree on where each row reads most (L53)", async ({ open }) => {
  const reader = await open();
  const { tokens, alpha } = await reader.read("3 March 2021");
  for (let t = 0; t < tokens.length; ++t) {
    const row = alpha.slice(t * 12, (t + 1) * 12);
    const most = row.indexOf(Math.max(...row));
    await reader.cell(t, most).hover();
    await expect(reader.words).toContainText(`Row ${t + 1} writes`);
    await expect(reader.words).toContainText(`(position ${most + 1}): α = ${(row[most] ?? 0).toFixed(3)}`);
    const cell = reader.map
      .getByRole("row")
      .nth(t + 1)
      .getByRole("cell")
      .nth(most);
    await expect(cell).toHaveText((row[most] ?? 0).toFixed(3));
  }
  // The year is written first and stands last: its rows read the right half, so the map is not transposed.
  const year = alpha.slice(0, 12);
  expect(year.indexOf(Math.max(...year))).toBeGreaterThanOrEqual(7);
});

test("weights of at least 0.10 are printed with two decimals", async ({ open }) => {
  const reader = await open();
  const { alpha } = await reader.read("3 March 2021");
  const printed = await reader.map.locator("text.weight").allTextContents();
  expect(printed).toEqual(alpha.filter((weight) => weight >= 0.1).map((weight) => weight.toFixed(2)));
});

test("keyboard, hover and tap say the same words", async ({ page, open }) => {
  const reader = await open();
  await reader.region.focus();
  await page.keyboard.press("Home");
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  const words = await reader.words.textContent();
  expect(words).toMatch(/^Row 3 writes ‘.’, reads ‘M’ \(position 3\): α = \d\.\d{3}$/);
  await page.keyboard.press("Escape");
  await expect(reader.words).not.toHaveText(words ?? "");
  await reader.cell(2, 2).hover();
  await expect(reader.words).toHaveText(words ?? "");
  await page.mouse.move(2, 2);
  await expect(reader.words).not.toHaveText(words ?? "");
  await reader.cell(2, 2).dispatchEvent("pointerdown", await centre(reader.cell(2, 2)));
  await expect(reader.words).toHaveText(words ?? "");
});

async function centre(cell: {
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
}) {
  const box = await cell.boundingBox();
  return {
    clientX: (box?.x ?? 0) + (box?.width ?? 0) / 2,
    clientY: (box?.y ?? 0) + (box?.height ?? 0) / 2,
    pointerType: "touch",
  };
}

test("@slow pointing at the map lights up the letter read and the character written", async ({ page, open }) => {
  const reader = await open();
  await reader.cell(6, 4).hover();
  await expect(page.locator("sa-source-echo .lit")).toHaveText("r");
  await expect(page.locator(".answer.first sa-answer .lit")).toHaveCount(1);
  await page.locator("sa-source-echo span span").nth(2).hover();
  await expect(reader.map.locator("text.column.lit")).toHaveText("M");
});

test("@slow stepping through visits every row and ends on the last", async ({ page, open }) => {
  const reader = await open();
  const { tokens } = await reader.mapData();
  // Words may change faster than they are polled, so the page notes them itself.
  const said = await reader.words.evaluateHandle((words) => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(words.textContent ?? "")).observe(words, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    return texts;
  });
  await page.getByRole("button", { name: "Step through" }).click();
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Step through" })).toBeVisible({ timeout: 20_000 });
  const rows = (await said.jsonValue()).map((text) => Number(text.match(/^Row (\d+) writes/)?.[1]));
  expect([...new Set(rows)]).toEqual(tokens.map((_, t) => t + 1));
  await expect(reader.words).toHaveText(new RegExp(`^Row ${tokens.length} writes`));
});

test("@slow the table of a large map follows a pause in typing", async ({ open }) => {
  const reader = await open("?text=3%20January%201998;%20July%204,%202031;%202021/3/3;%2012%20August%20207");
  const table = reader.map.getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveCount(1 + 53);
  await reader.box.press("End");
  await reader.box.pressSequentially("7");
  await expect(table.getByRole("columnheader")).toHaveCount(1 + 54);
  const { alpha } = await reader.mapData();
  expect(await table.getByRole("cell").allTextContents()).toEqual(alpha.map((weight) => weight.toFixed(3)));
  // Weights too light to see are not drawn, those in sight are.
  const drawn = await reader.map.locator("rect[data-t]").count();
  expect(drawn).toBeLessThan(alpha.length);
  expect(drawn).toBeGreaterThanOrEqual(alpha.filter((weight) => weight >= 0.002).length);
});

test("the table can be shown and hidden", async ({ page, open }) => {
  const reader = await open();
  const button = page.getByRole("button", { name: "Show as a table" });
  await expect(button).toHaveAttribute("aria-expanded", "false");
  await button.click();
  const region = page.getByRole("region", { name: "Attention weights as a table" });
  await expect(region).toBeVisible();
  expect((await region.boundingBox())?.height).toBeGreaterThan(100);
  await page.getByRole("button", { name: "Hide the table" }).click();
  await expect(region).toHaveCount(0);
  await expect(reader.map.getByRole("table")).toHaveCount(1);
});

for (const K of [1, 2, 3, 4]) {
  test(`${K === 4 ? "" : "@slow "}a test example with K = ${K} is judged date by date, and has neighbours`, async ({
    page,
    open,
  }) => {
    const reader = await open();
    await page.getByRole("button", { name: `A random test example with ${K} date` }).click();
    const place = page.locator("sa-sample-picker .number");
    await expect(place).toHaveText(/^\d+ of 500$/);
    const [first, text] = [await place.textContent(), await reader.box.inputValue()];
    await expect(reader.verdict).toHaveText(/^\s*(Right|Wrong)/);
    await expect(reader.verdict.locator("svg")).toHaveCount(1);
    if (K > 1) await expect(page.locator(".answer.first sa-answer .says")).toHaveCount(K);
    await page.getByRole("button", { name: "Next test example" }).click();
    await expect(place).not.toHaveText(first ?? "");
    await expect(reader.box).not.toHaveValue(text);
    await page.getByRole("button", { name: "Previous test example" }).click();
    await expect(place).toHaveText(first ?? "");
    await expect(reader.box).toHaveValue(text);
    // The address leads back to the same example.
    await expect(page).toHaveURL(new RegExp(`\\?sample=${K}-${first?.split(" ")[0]}$`));
    await page.reload();
    await expect(place).toHaveText(first ?? "");
    await expect(reader.box).toHaveValue(text);
    await expect(reader.verdict).toHaveText(/^\s*(Right|Wrong)/);
  });
}

test("the probability of every character is at hand", async ({ page, open }) => {
  const reader = await open();
  const { tokens } = await reader.mapData();
  await page.getByText("The probability of every character at each step").click();
  const table = page.locator("sa-probability-table").getByRole("table");
  await expect(table.getByRole("columnheader")).toHaveCount(1 + 15);
  await expect(table.getByRole("rowheader")).toHaveCount(tokens.length);
  const numbers = (await table.getByRole("cell").allTextContents()).map((text) => Number.parseFloat(text));
  expect(numbers).toHaveLength(tokens.length * 15);
  for (let t = 0; t < tokens.length; ++t) {
    const sum = numbers.slice(t * 15, (t + 1) * 15).reduce((total, p) => total + p, 0);
    expect(Math.abs(sum - 1)).toBeLessThan(0.01);
  }
  await expect(page.locator("sa-probability-table td.taken")).toHaveCount(tokens.length);
});

test("text and model are in the address", async ({ page, open }) => {
  const reader = await open("?text=13%20Jul%201914&model=plain");
  await expect(reader.box).toHaveValue("13 Jul 1914");
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue("plain");
  await expect(page.getByText("This model has no attention")).toBeVisible();
  await expect(reader.answer).toHaveText(/\d/);
  await page.getByLabel("Model", { exact: true }).selectOption("dot");
  await reader.read("Apr 1, 2038");
  await expect(page).toHaveURL(/\?text=Apr\+1%2C\+2038$/);
  await page.getByRole("button", { name: "Back to 3 March 2021" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("a model that does not exist is named, and dot answers", async ({ page, open }) => {
  const reader = await open("?model=nonesuch");
  await expect(reader.answer).toHaveText(/\d/);
  await expect(page.getByText("There is no model “nonesuch” here")).toBeVisible();
});

test.describe("texts that are not a date of the trained forms", () => {
  const noted: [string, RegExp][] = [
    ["3 März 2021", /"ä".*position 4/],
    ["3 March 2021; 4 March 2021; 5 March 2021; 6 March 2021; 7 March 2021", /outside training/],
    [new Array(6).fill("3 Mar 2021").join("; "), /outside training/],
    ["3/4/2021", /guess/],
    ["march 3 2021", /guess/],
    ["31 February 2021", /28 days/],
  ];
  for (const [k, [text, words]] of noted.entries()) {
    test(`${k === 0 ? "" : "@slow "}${text} is answered with a sentence that says what it is (L03, L07)`, async ({
      page,
      open,
    }) => {
      const reader = await open(`?text=${encodeURIComponent(text)}`);
      await expect(reader.notes.filter({ hasText: words }).first()).toBeVisible();
      await expect(reader.answer).toHaveText(/\d/);
      await page.getByText("The probability of every character at each step").click();
      await expect(page.locator("sa-probability-table td").first()).toBeVisible();
    });
  }

  test("unknown letters are underlined in the text", async ({ page, open }) => {
    await open("?text=3%20M%C3%A4rz%202021");
    await expect(page.locator("sa-source-echo .off")).toHaveText(["ä", "z"]);
  });

  const refused: [string, string, RegExp][] = [
    ["", "EMPTY", /nothing to read/i],
    ["   ", "EMPTY", /nothing to read/i],
    ["日本", "EMPTY", /nothing to read/i],
    ["3 March 2021 ".repeat(770), "TOO_LONG", /400/],
  ];
  for (const [k, [text, code, words]] of refused.entries()) {
    test(`${k === 0 ? "" : "@slow "}"${text.slice(0, 14)}" (${text.length} characters) -> ${code} (L04, L05, L06)`, async ({
      page,
      open,
    }) => {
      const reader = await open();
      await reader.box.fill(text);
      const alert = page.locator(`.alert[data-code="${code}"]`);
      await expect(alert).toHaveText(words);
      await page.getByRole("button", { name: "Try “3 March 2021”" }).click();
      await expect(reader.answer).toHaveText(/\d/);
      await expect(reader.box).toBeFocused();
    });
  }
});

test.describe("before the lab", () => {
  test("results that the lab has learners predict wait behind a click each", async ({ page, open }) => {
    const reader = await open("?lab=before&text=July%2024,%202041;%20February%2014,%201914");
    const map = page.getByRole("button", { name: "Show the attention map" });
    const answer = page.getByRole("button", { name: "Show the attention model’s answer" });
    const plain = page.getByRole("button", { name: "Show the plain model’s answer" });
    for (const button of [map, answer, plain]) await expect(button).toBeVisible();
    await expect(reader.map).toHaveCount(0);
    await expect(reader.answer).toHaveCount(0);
    await expect(reader.other).toHaveCount(0);
    await expect(page.getByText("The probability of every character")).toHaveCount(0);

    await plain.click();
    await expect(reader.other).toHaveText(/\d/);
    await expect(reader.answer).toHaveCount(0);
    await map.click();
    await expect(reader.map).toBeVisible();
    await expect(reader.answer).toHaveCount(0);
    await answer.click();
    await expect(reader.answer).toHaveText(/\d/);

    // What was shown stays shown for another text, and is hidden again on the next visit.
    await reader.read("13 Jul 1914");
    await expect(reader.other).toHaveText(/\d/);
    await page.reload();
    await expect(plain).toBeVisible();
  });

  test("@slow two dates wait behind a click too when the grammar cannot read one of them", async ({ page, open }) => {
    const reader = await open("?lab=before&text=3/4/2021;%20July%204,%202031");
    await expect(page.getByRole("button", { name: "Show the attention model’s answer" })).toBeVisible();
    await expect(reader.answer).toHaveCount(0);
    await reader.box.fill("3/4/2021");
    await expect(reader.answer).toHaveText(/\d/);
  });

  test("one date is answered at once, its map is not shown", async ({ page, open }) => {
    const reader = await open("?lab=before");
    await expect(reader.answer).toHaveText(/\d/);
    await expect(reader.map).toHaveCount(0);
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie])).toEqual([
      0,
      0,
      "",
    ]);
  });
});
