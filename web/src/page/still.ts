// The picture of the showcase that the page is served with, kept for as long as the live one is not there.

export interface Still {
  line: Element | null;
  map: Element | null;
}

export const takeStill = (page: ParentNode): Still => ({
  line: page.querySelector(".line"),
  map: page.querySelector(".still-map"),
});
