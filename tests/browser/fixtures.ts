// What every browser test gets: the built page on a server, ways to read it, and a console that must stay clean.
import { test as base, expect, type FrameLocator, type Page } from "@playwright/test";
import { type Serving, serve, type Site } from "./server.ts";

/** The page or the frame that the built page runs in. */
type Place = Page | FrameLocator;

export interface MapReading {
  source: string;
  tokens: string[];
  alpha: number[];
}

/** Reads and drives the built page, wherever it is embedded. */
export class Reader {
  constructor(readonly place: Place) {}

  get box() {
    return this.place.getByRole("textbox", { name: "Dates to read" });
  }

  /** The hero's answer. */
  get answer() {
    return this.place.locator(".answer.first sa-answer .dates");
  }

  get verdict() {
    return this.place.locator(".answer.first sa-answer .verdict");
  }

  get other() {
    return this.place.locator(".other sa-answer .dates");
  }

  get map() {
    return this.place.locator(".hero sa-attention-map");
  }

  /** The map of the model beside. */
  get otherMap() {
    return this.place.locator(".second sa-attention-map");
  }

  get explanation() {
    return this.place.locator("sa-cell-explanation");
  }

  get words() {
    return this.map.locator(".words");
  }

  get region() {
    return this.map.locator(".region");
  }

  get notes() {
    return this.place.locator(".notes li:not(.quick)");
  }

  cell(t: number, i: number) {
    return this.map.locator(`rect[data-t="${t}"][data-i="${i}"]`);
  }

  async ready() {
    await expect(this.answer).toHaveText(/\S/);
  }

  /** Types a text and waits until the map is about it. */
  async read(text: string): Promise<MapReading> {
    await this.box.fill(text);
    await expect.poll(async () => (await this.mapData()).source, { message: `a map of "${text}"` }).toBe(text);
    return this.mapData();
  }

  mapData(): Promise<MapReading> {
    return this.map.evaluate((element) => {
      const { source, tokens, alpha } = (
        element as unknown as { data: { source: string[]; tokens: string[]; alpha: Float32Array } }
      ).data;
      return { source: source.join(""), tokens, alpha: [...alpha] };
    });
  }
}

interface Fixtures {
  site: (serving?: Serving) => Promise<Site>;
  /** Opens the built page with a query and waits for its answer. */
  open: (query?: string) => Promise<Reader>;
  /** Console errors that a test expects, as patterns. */
  tolerated: RegExp[];
}

export const test = base.extend<Fixtures>({
  tolerated: [[], { option: true }],

  page: async ({ page, tolerated }, use) => {
    const errors: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("pageerror", (error) => errors.push(String(error)));
    await use(page);
    expect(errors.filter((error) => !tolerated.some((pattern) => pattern.test(error)))).toEqual([]);
  },

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are asked for from this pattern.
  site: async ({}, use) => {
    const sites: Site[] = [];
    await use(async (serving) => {
      const site = await serve(serving);
      sites.push(site);
      return site;
    });
    for (const site of sites) await site.close();
  },

  open: async ({ page, site }, use) => {
    await use(async (query = "") => {
      const { url } = await site();
      await page.goto(url + query);
      const reader = new Reader(page);
      await page.locator(".stage.live, .alert").first().waitFor();
      return reader;
    });
  },
});

export { expect };
