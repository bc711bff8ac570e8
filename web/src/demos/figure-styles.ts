// The marks that live and still figures share, for a shadow root.
import { unsafeCSS } from "lit";
import marks from "../draw/figures.css?inline";

export const figureStyles = unsafeCSS(marks);
