// web/ELEMENTS.md, written from the table of elements itself.
import type { Attribute } from "../../web/src/demos/attributes.ts";
import { type DemoElement, elements, helpers } from "../../web/src/demos/elements.ts";

const INTRO = `# The elements

Each demo of the page is a custom element that works by itself: its attributes are its whole state, set them and it follows, and when
a visitor changes it, it sets them and says so. This list is written from web/src/demos/elements.ts, which the elements are
made from (\`npx vitest run --config tests/vitest.config.ts tests/web/elements.test.ts -u\` writes it again).

What an attribute cannot mean counts as its usual value. A demo asks the engine only near the window. Elements of one document share one
engine and fetch each model once. What stands inside an element shows until its figure is there, or when it cannot come.

## Events

All of them bubble and leave shadow roots.

| event | when | holds |
| --- | --- | --- |
| \`sa-change\` | the visitor changed the state | \`attributes\`: the names of those that now say something else |
| \`sa-suggest\` | the demo proposes a text for everything on the page; where nobody calls \`preventDefault()\`, it takes it for itself alone | \`text\` |
| \`sa-result\` | a question that was asked before has its result | \`question\`, \`result\`: a sentence |
| \`sa-present\` | the visitor wants the demo alone; offered where the element has the attribute \`presentable\` | |
| \`sa-point\` | a map is pointed at | \`point\`: \`t\` and \`i\` from 0, or null |
| \`sa-pick\` | a cell of a map is kept, or let go | \`cell\`: \`t\` and \`i\`, or null |

## Worker, Trusted Types, content security policy

The engine runs in a module worker made from the file beside the script. The address goes through a Trusted Types policy named \`softalign\`,
which admits that file alone; Lit's own policy is \`lit-html\`. Where the page's origin is another than the script's, a
\`blob:\` worker imports that file; where neither is allowed (no \`worker-src\`, a sandboxed frame) the engine runs on the page, in
short turns. No element needs storage, \`eval\`, an inline script or an inline style; WebAssembly needs \`'wasm-unsafe-eval'\`:

    default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:;
    require-trusted-types-for 'script'; trusted-types softalign lit-html

\`img-src blob:\` is for saving a figure as PNG and for nothing else.
`;

function values(attribute: Attribute): string {
  switch (attribute.type) {
    case "number":
      return `${attribute.least} to ${attribute.most} in steps of ${attribute.step}`;
    case "choice":
      return attribute.of.map((each) => `\`${each}\``).join(", ");
    case "text":
      return `text of at most ${attribute.longest} characters`;
  }
}

const usual = ({ usual }: Attribute) => (usual === "" ? "empty" : `\`${usual}\``);

const entry = ([name, { says, attributes }]: [string, DemoElement]) =>
  [
    `### \`<${name}>\``,
    "",
    `${says[0]?.toUpperCase()}${says.slice(1)}.`,
    "",
    "| attribute | values | usual | says |",
    "| --- | --- | --- | --- |",
    ...Object.entries(attributes).map(
      ([attribute, each]) => `| \`${attribute.toLowerCase()}\` | ${values(each)} | ${usual(each)} | ${each.says} |`,
    ),
    "",
  ].join("\n");

export const elementsTable = () =>
  [
    INTRO,
    "## Demos\n",
    ...Object.entries(elements).map(entry),
    "## Around them\n",
    ...Object.entries(helpers).map(entry),
  ].join("\n");
