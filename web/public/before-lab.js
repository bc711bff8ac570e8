// Runs before anything is drawn: with ?lab=before the still map, too, stays out of sight until after the lab.
if (new URLSearchParams(location.search).get("lab") === "before") document.documentElement.dataset.lab = "before";
