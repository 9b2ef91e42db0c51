/* The page's language as browsers know it: with the country whose way of writing the server follows. */
"use strict";

const Language = (() => {
  const COUNTRY = { pt: "pt-PT", en: "en-GB" };

  /** Give its tag, such as pt-PT. */
  const now = () => COUNTRY[document.documentElement.lang] ?? document.documentElement.lang;

  return { now };
})();
