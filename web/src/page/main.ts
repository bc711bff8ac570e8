// Starts the page: registers the elements and puts the page into its place.
import "../widgets/define.ts";
import { Page } from "./app.ts";

if (!customElements.get("sa-page")) customElements.define("sa-page", Page);
