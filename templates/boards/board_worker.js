/* Keeps what a wall board needs to stand still when it is switched on and the hall does not answer. */
"use strict";

const STILL = new URL("?still", self.registration.scope).href; // a board without a number
const CACHE = `board ${self.registration.scope}`;
const PATIENCE_MS = 700;
const NEEDED = /(?:src|href)="(\/static\/[^"]+)"/g;

async function keep() {
  const page = await fetch(STILL, { cache: "no-store" });
  if (!page.ok) return;
  const text = await page.clone().text();
  const needed = [...text.matchAll(NEEDED)].map((found) => new URL(found[1], self.location).href);
  const cache = await caches.open(CACHE);
  await cache.addAll(needed);
  await cache.put(STILL, page);
  const kept = new Set([STILL, ...needed]);
  for (const one of await cache.keys()) if (!kept.has(one.url)) await cache.delete(one);
}

/* The board itself, or the still one where it does not come in time. */
async function board(asked) {
  const late = new Promise((_resolve, reject) => setTimeout(reject, PATIENCE_MS));
  try {
    const answer = await Promise.race([asked, late]);
    if (answer.status < 500) return answer;
  } catch {
    // No network, no server, or one that thinks too long.
  }
  return (await caches.match(STILL)) ?? asked;
}

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.mode === "navigate" && request.method === "GET" && url.search === "") {
    const asked = fetch(request);
    event.respondWith(board(asked));
    event.waitUntil(asked.then((answer) => (answer.ok ? keep() : null)).catch(() => null));
  } else if (url.origin === self.location.origin && url.pathname.startsWith("/static/")) {
    event.respondWith(caches.match(request).then((kept) => kept ?? fetch(request)));
  }
});
