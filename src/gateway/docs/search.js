// @ts-nocheck This runs in the browser; the types of the project are Node's.
/*
 * The search of the documents: it reads what /docs/search.json names when the box is used first, and shows the sections
 * that have all words. Words in a heading count more than those in the text.
 */
const RESULTS_MAX = 12;
const EXCERPT_CHARS = 140;

const box = document.getElementById("search");
const found = document.getElementById("found");
const results = document.getElementById("results");
let sections;

box.addEventListener("input", search);
box.addEventListener("keydown", (event) => {
  if (event.key === "Enter") results.querySelector("a")?.click();
  if (event.key === "Escape") box.value = "";
});
box.value = new URLSearchParams(location.search).get("q") ?? "";
if (box.value !== "") await search();

async function search() {
  const words = box.value
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) {
    show([], words, "");
    return;
  }
  const asked = box.value;
  try {
    sections ??= load();
    const ranked = rank(await sections, words);
    if (box.value !== asked) return;
    const count = ranked.length === 1 ? "1 section" : `${ranked.length} sections`;
    show(ranked.slice(0, RESULTS_MAX), words, ranked.length === 0 ? "Nothing found. Try fewer words." : count);
  } catch {
    sections = undefined;
    show([], words, "The search could not be loaded. Type again to retry.");
  }
}

async function load() {
  const indexes = await Promise.all((await read("/docs/search.json")).map(read));
  return indexes.flat().map((section) => ({
    ...section,
    head: `${section.title} ${section.heading}`.toLowerCase(),
    body: section.text.toLowerCase(),
  }));
}

async function read(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}

function rank(all, words) {
  return all
    .map((section) => [section, score(section, words)])
    .filter(([, points]) => points > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([section]) => section);
}

/** 0 unless each word is there. Guides and tutorials come before decisions. */
function score({ head, body, page }, words) {
  let points = page.startsWith("decisions/") ? 0 : 2;
  for (const word of words) {
    const [inHead, inBody] = [head.includes(word), body.includes(word)];
    if (!inHead && !inBody) return 0;
    points += (inHead ? 10 : 0) + (inBody ? 1 : 0);
  }
  return points;
}

function show(some, words, message) {
  found.textContent = message;
  results.replaceChildren(
    ...some.map((section) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = section.address;
      link.textContent = section.heading === section.title ? section.title : `${section.title}: ${section.heading}`;
      const excerpt = document.createElement("p");
      excerpt.textContent = excerptOf(section, words);
      item.append(link, excerpt);
      return item;
    }),
  );
}

/** Some words of the text around the first of those that were looked for. */
function excerptOf({ body, text }, words) {
  const places = words.map((word) => body.indexOf(word)).filter((place) => place >= 0);
  const from = places.length === 0 ? 0 : text.lastIndexOf(" ", Math.max(0, Math.min(...places) - 40)) + 1;
  const to = text.indexOf(" ", from + EXCERPT_CHARS);
  return to < 0 ? text.slice(from) : `${text.slice(from, to)} …`;
}
