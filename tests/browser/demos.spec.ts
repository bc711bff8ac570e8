// Every demo of the table in the same ways: alone, in each width and theme, saved, before the lab, with a text it cannot read.
import { readFileSync } from "node:fs";
import { elements } from "../../web/src/demos/elements.ts";
import { expect, test } from "./fixtures.ts";
import { sweep } from "./sweep.ts";

const demos = Object.keys(elements).map((name) => ({ name, id: name.replace(/^sa-/, "") }));
const reads = demos.filter(({ name }) => "text" in elements[name as keyof typeof elements].attributes);

for (const { name, id } of demos) {
  test(`@slow ${name}: nothing is cut off and axe finds nothing, 360 and 1440 px, light and dark`, async ({
    page,
    open,
  }) => {
    await open(`#${id}`);
    const demo = page.locator(name);
    await sweep(page, name, async () => {
      await demo.scrollIntoViewIfNeeded();
      await expect(demo.getByRole("button", { name: "CSV" })).toBeVisible();
      await expect(demo.locator(".alert")).toHaveCount(0);
    });
  });

  test(`@slow ${name}: alone for a projector, and saved on the way back`, async ({ page, site }) => {
    const { url } = await site();
    await page.goto(`${url}?present=${id}`);
    const demo = page.locator(name);
    await expect(demo.locator(".figure").first()).toBeVisible();
    await expect(demo.getByRole("button", { name: "CSV" })).toBeHidden();
    await expect(page.locator(".stage")).toBeHidden();
    await page.getByRole("link", { name: "Leave the presentation" }).click();
    await expect(demo.getByRole("button", { name: "CSV" })).toBeVisible();
    const saved = async (kind: string) => {
      const coming = page.waitForEvent("download");
      await demo.getByRole("button", { name: kind, exact: true }).click();
      const download = await coming;
      expect(download.suggestedFilename()).toBe(`softalign-${id}.${kind.toLowerCase()}`);
      return readFileSync(await download.path());
    };
    if (name === "sa-bottleneck-meter") {
      // Nothing is measured, so there is no picture yet.
      await demo.getByRole("button", { name: "SVG", exact: true }).click();
      await expect(demo.getByRole("alert")).toHaveText("The SVG was not saved: there is no drawing at the moment.");
    } else {
      const svg = (await saved("SVG")).toString();
      expect(svg).not.toMatch(/\s(class|style)=|var\(|light-dark\(/);
      expect(svg.match(/<(path|rect|circle|line|text)\b/g)?.length ?? 0).toBeGreaterThan(5);
      expect((await saved("PNG")).subarray(1, 4).toString()).toBe("PNG");
    }
    const [heading = "", ...lines] = (await saved("CSV")).toString().trimEnd().split("\r\n");
    const columns = heading.split(",").length;
    expect(columns).toBeGreaterThan(1);
    // A meter that has measured nothing yet has no lines; everything else has.
    if (name !== "sa-bottleneck-meter") expect(lines.length).toBeGreaterThan(0);
    await expect(demo.locator(".alert")).toHaveCount(0);
  });
}

for (const { name, id } of reads) {
  test(`@slow ${name}: a text that cannot be read is answered with a sentence, and the next one is read`, async ({
    open,
  }) => {
    const reader = await open(`#${id}`);
    const demo = reader.place.locator(name);
    await demo.scrollIntoViewIfNeeded();
    await expect(demo.getByRole("button", { name: "CSV" })).toBeVisible();
    // The dial's placed states read no text.
    if (name === "sa-query-dial") await demo.getByRole("tab").last().click();
    await reader.box.fill("");
    await expect(demo.locator(".alert")).toHaveText(/\w+/);
    await reader.box.fill("13 Jul 1914");
    await expect(demo.locator(".alert")).toHaveCount(0);
    await expect(demo.getByRole("button", { name: "CSV" })).toBeVisible();
    await reader.box.fill("1".repeat(400));
    await expect(demo.locator(".alert")).toHaveCount(0);
  });
}

test("@slow with ?lab=before no demo shows what the course keeps", async ({ page, open }) => {
  const reader = await open("?lab=before");
  await reader.box.fill("July 24, 2041; February 14, 1914");
  for (const { name } of demos) {
    const demo = page.locator(name);
    await demo.scrollIntoViewIfNeeded();
    await expect(demo.locator(".demo")).toBeVisible();
    await expect(demo.locator("sa-attention-map")).toHaveCount(0);
    await expect(demo.locator(".recorded")).toHaveCount(0);
  }
  for (const name of ["sa-factors", "sa-token-loss", "sa-bottleneck-meter", "sa-attention-step", "sa-alignment"]) {
    await expect(page.locator(name).locator(".kept").first()).toBeVisible();
    await expect(page.locator(name).getByRole("button", { name: "CSV" })).toHaveCount(0);
  }
});
