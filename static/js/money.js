/* Money as people type and read it, in whole minor units; the twin of bingo/money_and_dates.py. */
"use strict";

const Money = (() => {
  // A separator before three digits parts thousands, before one or two the cents.
  const TYPED = /^(\d{1,11}|\d{1,3}(?:[. ]\d{3}){1,3})(?:[.,](\d{1,2}))?$/;
  const ENGLISH = /^(\d{1,3}(?:,\d{3}){1,3})\.(\d{1,2})$/; // commas part thousands before a point with cents
  const SIGN = "$"; // of the escudo, which a hall may write between escudos and cents
  const ESCUDOS = /^(\d{1,11}|\d{1,3}(?:[. ]\d{3}){1,3}|\d{1,3}(?:,\d{3}){1,3})\$(\d{2})?$/;
  const SPACES = /[\u00a0\u202f\u2009]/g;
  const ZERO_WIDTH = "\u200b"; // the symbol of the escudo in Cape Verde prints as nothing

  const till = () => document.querySelector("[data-till]");
  const places = () => Number(till().dataset.places);
  const written = () => till().dataset.currency;
  const currency = () => written().replace(SIGN, "");

  /** Minor units of what somebody typed, or null when it can be read in two ways or in none. */
  function read(typed) {
    const asked = typed.replace(SPACES, " ").trim();
    const shown = Number(asked.replace(/\D/g, "")); // a page writes every place
    if (asked === text(shown).replace(SPACES, " ")) return shown;
    const plain = bare(asked);
    const escudos = currency() === "CVE" ? ESCUDOS.exec(plain) : null;
    const found = TYPED.exec(plain) ?? ENGLISH.exec(plain) ?? escudos;
    const cents = found?.[2] ?? "";
    if (!found || cents.length > places()) return null;
    if (places() > 2 && found[1].includes(".") && !cents) return null; // thousands, or three places
    return Number(found[1].replace(/[., ]/g, "") + cents.padEnd(places(), "0"));
  }

  /** What is typed without what may stand beside the figures, the longest first. */
  function bare(typed) {
    const signs = [currency(), symbol().replace(SPACES, " ")].sort((one, other) => other.length - one.length);
    return signs.reduce((left, sign) => {
      const rest = left.startsWith(sign) ? left.slice(sign.length).trim() : left;
      return rest.endsWith(sign) ? rest.slice(0, rest.length - sign.length).trim() : rest;
    }, typed);
  }

  /** The currency's symbol in the page's language. */
  function symbol() {
    const money = new Intl.NumberFormat(Language.now(), { style: "currency", currency: currency() });
    return money.formatToParts(1).find(({ type }) => type === "currency").value;
  }

  /** Minor units as somebody would type them. */
  function typed(minor) {
    const digits = String(minor).padStart(places() + 1, "0");
    const cents = digits.slice(digits.length - places());
    const whole = digits.slice(0, digits.length - places());
    return places() === 0 || Number(cents) === 0 ? whole : `${whole},${cents}`;
  }

  /** Minor units as the page's language writes them. */
  function text(minor) {
    const sign = minor < 0 ? "-" : "";
    const digits = String(Math.abs(minor)).padStart(places() + 1, "0");
    const cut = digits.length - places();
    const plain = `${sign}${digits.slice(0, cut)}${places() ? `.${digits.slice(cut)}` : ""}`;
    const language = Language.now();
    const money = { style: "currency", currency: currency(), useGrouping: "always" };
    if (!symbol().includes(ZERO_WIDTH) && !written().endsWith(SIGN)) {
      return minus(new Intl.NumberFormat(language, money).format(plain));
    }
    const fraction = {
      minimumFractionDigits: places(),
      maximumFractionDigits: places(),
      useGrouping: "always",
    };
    const number = new Intl.NumberFormat(language, fraction).format(plain);
    const cents = -places();
    if (written().endsWith(SIGN)) return minus(`${number.slice(0, cents - 1)}${SIGN}${number.slice(cents)}`);
    return minus(`${number}\u00a0${currency()}`);
  }

  /** What is below nought has a minus and no hyphen, as the server writes it. */
  function minus(written) {
    return written.replace("-", "\u2212");
  }

  return { read, typed, text };
})();
