// Runs before anything is drawn: with ?lab=before the still answer and map, too, stay out of sight until after the lab.
// The rule is made here because a sandboxed frame may refuse the page's stylesheet along with its program.
if (new URLSearchParams(location.search).get("lab") === "before") {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".still-map, .answer > output, .still-figure .result { visibility: hidden; } .after-lab { display: none; }");
  document.adoptedStyleSheets = [sheet];
  // What is kept back needs less room than the page sets aside.
  document.documentElement.classList.add("before-lab");
}
