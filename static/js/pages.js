/* The page one is on stands in sight in the row of pages, however many there are. */
"use strict";

document
  .querySelector(".bar__pages [aria-current]")
  ?.scrollIntoView({ block: "nearest", inline: "center", behavior: "instant" });
