// The demo of section 6: fields laid over the map, counts of one text, and hit rates measured over the test split.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures.ts";
import { sweep } from "./sweep.ts";

const SOFTALIGN = process.env.SOFTALIGN ?? "build/native/native/softalign";

/** What the map lays over its rows. */
interface Row {
  field: string;
  date: number;
  span: [number, number];
}

async function openDemo(page: import("@playwright/test").Page, open: (query?: string) => Promise<unknown>, query = "") {
  await open(`${query}#alignment`);
  const demo = page.locator("sa-alignment");
  await demo.scrollIntoViewIfNeeded();
  // The still figure inside the element has marks of the same names.
  const map = demo.locator("sa-attention-map");
  const rows = () => map.evaluate((map) => (map as unknown as { fields: (Row | null)[] | null }).fields);
  return { demo, map, rows };
}

const count = (demo: import("@playwright/test").Locator) => demo.locator(".count");

test("every row of 3 March 2021 says which field it writes, and where that stands", async ({ page, open }) => {
  const { demo, map, rows } = await openDemo(page, open);
  await expect(map.locator(".of-field")).toHaveText([
    ...["year 1", "year 1", "year 1", "year 1", "month 1", "month 1", "day 1", "day 1"],
  ]);
  const told = (await rows())?.map((row) => row && [row.field, row.span[0] + 1, row.span[1]]);
  const [year, month, day] = [
    ["year", 9, 12],
    ["month", 3, 7],
    ["day", 1, 1],
  ];
  expect(told).toEqual([year, year, year, year, null, month, month, null, day, day, null]);
  // Three outlines, each in a stroke of its own.
  for (const field of ["year", "month", "day"]) await expect(map.locator(`.cells rect.field.${field}`)).toHaveCount(1);
  await expect(count(demo)).toContainText("8 of 8 digits are read inside their date");
  // How many are read inside their field is asked about; it is told once there is a guess.
  await expect(count(demo)).not.toContainText("inside their field");
  const card = page.locator("#predict-field-rate");
  await card.getByRole("textbox").fill("0.5");
  await card.getByRole("textbox").press("Enter");
  await expect(count(demo)).toContainText(/\d inside their field/);
});

test("@slow what a finger aims at is 24 px high and wide", async ({ page, open }) => {
  const { demo } = await openDemo(page, open);
  const labels = demo.locator("label:has(input)");
  await expect(labels).toHaveCount(4);
  for (const box of await Promise.all((await labels.all()).map((label) => label.boundingBox()))) {
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24);
  }
});

test("presets by keyboard change the text of the whole page, and its map says so", async ({ page, open }) => {
  const { demo, rows } = await openDemo(page, open);
  const preset = demo.getByRole("button", { name: "July 24, 2041; February 14, 1914" });
  await preset.focus();
  await page.keyboard.press("Enter");
  await expect(preset).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("textbox", { name: "Dates to read" })).toHaveValue("July 24, 2041; February 14, 1914");
  await expect(count(demo)).toContainText("of 16 digits");
  await expect.poll(async () => (await rows())?.filter((row) => row?.date === 1).length).toBe(8);
  const second = (await rows())?.find((row) => row?.date === 1 && row.field === "month");
  expect(second?.span).toEqual([15, 23]);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(count(demo)).toContainText("of 24 digits");
});

test("@slow the tolerance counts positions behind the field, and goes into the address", async ({ page, open }) => {
  const { demo, map } = await openDemo(page, open, "?predict-field-rate.guess=0.5");
  const inField = async () => Number((await count(demo).textContent())?.match(/(\d+) inside their field/)?.[1]);
  await demo.getByRole("radio", { name: "0" }).check();
  await expect(count(demo)).toContainText("(tol 0)");
  const strict = await inField();
  await demo.getByRole("radio", { name: "2" }).check();
  await expect(count(demo)).toContainText("(tol 2)");
  expect(await inField()).toBeGreaterThan(strict);
  await expect.poll(() => page.url()).toContain("alignment.tol=2");
  await demo.getByLabel("fields laid over the map").uncheck();
  await expect(map.locator(".of-field, .cells .field")).toHaveCount(0);
  await expect.poll(() => page.url()).toContain("alignment.fields=off");
  await demo.getByRole("button", { name: "Reset" }).click();
  await expect(map.locator(".of-field")).toHaveCount(8);
});

test("the count of one text is what its weights say", async ({ page, open }) => {
  const { demo, map } = await openDemo(page, open);
  const sharp = await map.evaluate((map) => {
    const { alpha, tokens, source } = (
      map as unknown as { data: { alpha: Float32Array; tokens: string[]; source: string[] } }
    ).data;
    const rows = tokens.map((_, t) => alpha.slice(t * source.length, (t + 1) * source.length));
    return rows.filter((row) => Math.max(...row) > Math.fround(0.99)).length;
  });
  await expect(count(demo)).toContainText(`${sharp} of 11 rows have more than 0.99 on one position`);
});

test("@slow a row tells its field in words; a kept cell goes into the address and comes back", async ({
  page,
  open,
}) => {
  const { demo } = await openDemo(page, open);
  await demo.getByRole("group", { name: /map/i }).focus();
  await expect(demo.locator(".words")).toContainText("It belongs to the year of date 1, positions 9 to 12");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toMatch(/alignment\.cell=1-\d+/);
  await expect(demo.locator(".pin:not([hidden])")).toHaveCount(1);
  await page.reload();
  await demo.scrollIntoViewIfNeeded();
  await expect(demo.locator(".pin:not([hidden])")).toHaveCount(1);
  // The page's own map keeps nothing by that.
  await expect(page.locator(".hero sa-attention-map .pin:not([hidden])")).toHaveCount(0);
});

test("@slow where the grammar does not understand the text the map is bare, and says why", async ({ page, open }) => {
  const { demo, map } = await openDemo(page, open, "?text=3/4/2021");
  await expect(demo).toContainText("No fields are laid over this map");
  await expect(map.locator(".of-field, .cells .field")).toHaveCount(0);
  await expect(count(demo)).toHaveText(
    /^In this map of dot attention \d+ of \d+ rows? (has|have) more than 0.99 on one position\.$/,
  );
});

test("@slow with plain on the page the demos with a map say whose it is", async ({ page, open }) => {
  const { demo } = await openDemo(page, open, "?model=plain");
  await expect(demo.locator(".stand-in")).toHaveText("Shown: dot attention, since plain has no map.");
  await expect(count(demo)).toContainText("In this map of dot attention");
  const step = page.locator("sa-attention-step");
  await step.scrollIntoViewIfNeeded();
  await expect(step.locator(".stand-in")).toHaveText("Shown: dot attention, since plain has no map.");
  await expect(step.locator(".cost")).toContainText("This map of dot attention took");
  await page.getByLabel("Model", { exact: true }).selectOption("dot");
  await expect(page.locator(".stand-in")).toHaveCount(0);
});

test("the map is saved with its legend, without a chart that has nothing to show, and its numbers as a table", async ({
  page,
  open,
}) => {
  const { demo } = await openDemo(page, open);
  const saved = async (kind: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      demo.getByRole("button", { name: kind, exact: true }).click(),
    ]);
    return readFileSync(await download.path(), "utf8");
  };
  const svg = await saved("SVG");
  for (const part of ["year 1", "month 1", "1.00"]) expect(svg).toContain(`>${part}<`);
  expect(svg).toMatch(/>\s*reads inside\s*</);
  expect(svg).not.toContain(">K = 4<");
  expect(svg).not.toContain("class=");
  const lines = (await saved("CSV")).split("\r\n");
  expect(lines[0]).toBe("row,token,field,date,from,to,inside,3, ,M,a,r,c,h, ,2,0,2,1");
  expect(lines[1]).toMatch(/^1,2,year,1,9,12,1,[\d.e-]+,/);
  expect(lines).toHaveLength(13);
});

test("@slow before the lab neither map nor rates are shown", async ({ page, open }) => {
  const { demo } = await openDemo(page, open, "?lab=before");
  await expect(demo.getByRole("button", { name: /Reveal|Show|map/ }).first()).toBeVisible();
  await expect(demo.locator("sa-attention-map, .rates, .count")).toHaveCount(0);
  await demo.locator(".kept button").click();
  await expect(demo.locator("sa-attention-map")).toBeVisible();
});

test("@slow a measurement can be held and stopped", async ({ page, open }) => {
  const { demo } = await openDemo(page, open);
  await demo.getByRole("button", { name: "Measure hit rates on 2,000 texts" }).click();
  await demo.getByRole("button", { name: "Pause" }).click();
  await expect(demo.getByRole("status")).toContainText("paused");
  await demo.getByRole("button", { name: "Go on" }).click();
  await expect(demo.getByRole("status")).not.toContainText("paused");
  await demo.getByRole("button", { name: "Pause" }).click();
  await demo.getByRole("button", { name: "Cancel" }).click();
  await expect(demo.getByRole("button", { name: "Measure hit rates on 2,000 texts" })).toBeVisible();
  await expect(demo.locator(".rates .bar")).toHaveCount(0);
});

test("measured rates are those of the command line, at every tolerance @slow", async ({ page, open }) => {
  const { demo } = await openDemo(page, open);
  await demo.getByRole("button", { name: "Measure hit rates on 2,000 texts" }).click();
  await expect(demo.getByRole("status")).toContainText("n = 2,000", { timeout: 60_000 });
  const args = ["evaluate", "--model", "models/dot.safetensors", "--json"];
  const evaluation = JSON.parse(execFileSync(SOFTALIGN, args, { encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] }));
  await demo.getByText("The numbers").click();
  for (const tol of [0, 1, 2]) {
    await demo.getByRole("radio", { name: String(tol) }).check();
    await expect(demo.getByRole("region", { name: `Hit rates at tol ${tol}` })).toBeVisible();
    const shown = await demo
      .getByRole("region", { name: `Hit rates at tol ${tol}` })
      .evaluate((region) =>
        [...region.querySelectorAll("tbody tr")].map((row) =>
          Array.from(row.querySelectorAll("td"), (cell) => cell.textContent),
        ),
      );
    const names = ["alignment_hit_rate", "chance_hit_rate", "field_hit_rate", "chance_field_rate"];
    expect(shown).toEqual(
      names.map((name) => ["1", "2", "3", "4", "all"].map((of) => evaluation[name][tol][of].toFixed(4))),
    );
  }
  // One date fills its text: that bar says nothing, and looks so.
  await expect(demo.locator(".rates .bar.vacuous")).toHaveCount(1);
  await expect(demo.locator(".rates .chance:not(.ground)")).toHaveCount(7);
  await expect(page.locator("#predict-field-rate")).toBeVisible();
});

test("no figure is cut off and axe finds nothing, light and dark, narrow and wide @slow", async ({ page, open }) => {
  const { demo, map } = await openDemo(page, open);
  await demo.getByRole("button", { name: "Measure hit rates on 2,000 texts" }).click();
  await expect(demo.getByRole("status")).toContainText("n = 2,000", { timeout: 60_000 });
  await demo.getByText("The numbers").click();
  await sweep(page, "sa-alignment", async () => {
    await demo.scrollIntoViewIfNeeded();
    await expect(map.locator(".of-field").first()).toBeVisible();
  });
});
