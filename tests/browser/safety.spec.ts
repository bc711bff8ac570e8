// Text and files from anywhere: shown as they are, never run, and never able to take the page down.
import { readFileSync } from "node:fs";
import { expect, test } from "./fixtures.ts";

const payloads = [
  "<eos>",
  "a<b",
  '"><img src=x onerror=alert(1)>',
  "<script>alert(1)</script>3 March 2021",
  "3 March 2021<svg onload=alert(1)>",
  "{{constructor.constructor('alert(1)')()}} 3",
  "javascript:alert(1) 3",
  "&lt;b&gt; 3 March 2021 &amp;",
];

for (const payload of payloads) {
  test(`${payload} is shown literally (L57)`, async ({ page, open }) => {
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    const reader = await open(`?text=${encodeURIComponent(payload)}&model=${encodeURIComponent(payload)}`);
    await expect(reader.box).toHaveValue(payload);
    await expect(page.locator("sa-source-echo .line")).toHaveText(payload.replaceAll(" ", "\u2423"));
    await expect(page.getByText(`There is no model “${payload}” here`)).toBeVisible();
    await expect(page.locator("sa-page img, sa-page script")).toHaveCount(0);
    expect(dialogs).toBe(0);
  });
}

test.describe("a weights file of the visitor's", () => {
  const choose = (name: string, buffer: Buffer) => ({ name, mimeType: "application/octet-stream", buffer });

  test("is loaded as the model “yours” and used", async ({ page, open }) => {
    const reader = await open();
    const first = await reader.mapData();
    await page.setInputFiles("input[type=file]", choose("mine.safetensors", readFileSync("models/dot.safetensors")));
    await expect(page.getByText("mine.safetensors is loaded")).toBeVisible();
    await expect(page.getByLabel("Model", { exact: true })).toHaveValue("yours");
    expect(await reader.mapData()).toEqual(first);
    await expect(page).toHaveURL(/\/$/);
  });

  test("of the wrong kind is refused with code, sentence and how to convert (L47, L64, L66, L67, L68)", async ({
    page,
    open,
  }) => {
    const reader = await open();
    const answer = await reader.answer.textContent();
    const alert = page.locator(".models .alert");
    const weights = readFileSync("models/dot.safetensors");
    const header = '{"w":{"dtype":"F64","shape":[4],"data_offsets":[0,16]}}';
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    for (const [file, words] of [
      [
        choose("model.pt", Buffer.from("PK\u0003\u0004 and more of a zip file that torch wrote")),
        /torch.*\n.*\n.*\n.*save_file/,
      ],
      [choose("broken.safetensors", Buffer.concat([length, Buffer.from(header), Buffer.alloc(16)])), /F64/],
      [choose("short.safetensors", weights.subarray(0, 100_000)), /ends early: 100000 of \d+ bytes/],
      [choose('"><img src=x onerror=alert(1)>.safetensors', Buffer.from("<html>")), /BAD_WEIGHTS/],
    ] as const) {
      await page.setInputFiles("input[type=file]", file);
      await expect(alert).toContainText("BAD_WEIGHTS: ");
      await expect(alert).toContainText(words);
      await expect(page.getByLabel("Model", { exact: true })).toHaveValue("dot");
    }
    // One letter of a name changed: the file has as many bytes, and no W_c.
    const renamed = Buffer.from(weights.toString("latin1").replaceAll('"W_c.', '"W_z.'), "latin1");
    await page.setInputFiles("input[type=file]", choose("renamed.safetensors", renamed));
    await expect(alert).toContainText(/WRONG_MODEL: .*missing: "W_c.weight", "W_c.bias"; extra: "W_z.weight"/);
    await expect(page.getByLabel("Model", { exact: true })).toHaveValue("dot");
    await reader.read("13 Jul 1914");
    await page.getByRole("button", { name: "Back to 3 March 2021" }).click();
    await expect(reader.answer).toHaveText(answer ?? "");
  });

  test("can be dropped on the page", async ({ page, open }) => {
    await open();
    const weights = readFileSync("models/plain.safetensors").toString("base64");
    await page.evaluate((base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], "dropped.safetensors"));
      window.dispatchEvent(new DragEvent("dragover", { dataTransfer, cancelable: true }));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer, cancelable: true }));
    }, weights);
    await expect(page.getByText("dropped.safetensors is loaded")).toBeVisible();
    await expect(page.getByText("This model has no attention")).toBeVisible();
  });
});
