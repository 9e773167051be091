/**
 * Faults that somebody sees who looks at a page: text that is cut or runs into other text, a list that is scrolled
 * sideways, a currency far from its amount, the API's names in place of words, and values that are none.
 */
import type { Page } from "playwright-core";

/** Sentences about what can be seen now, within what a selector names. */
export async function visibleFaults(page: Page, within = "body"): Promise<string[]> {
  return (await page.evaluate(`(${LOOK})(document.querySelector("${within}"))`)) as string[];
}

/**
 * Where the API's names belong: code, calls, what a program logged, what somebody typed, and commands as they stand in
 * the log.
 */
const API_NAMES = "code, pre, input, textarea, .api-names, .secrets";
/** Strips that are pushed along with a finger, with nothing that is not found elsewhere. */
const STRIPS = ".rail, .figures, .tabs, [role=tablist], .market-tabs, .chart-options, .indicator-readings, .segments";

const LOOK = `async (root) => {
  // What follows the size of the page comes a frame later.
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const faults = new Set();
  const SLACK = 1.5;
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const say = (what, text, element) => {
    const place = element.closest("[aria-label], section, table, dialog, form")?.getAttribute("aria-label") ?? element.closest("[class]")?.className ?? "";
    faults.add(what + ": " + text.trim().replaceAll(/\\s+/g, " ").slice(0, 60) + " (" + String(place).slice(0, 40) + ")");
  };
  /** Whether something with a ground of its own lies over an element. */
  const covers = (over, element) => {
    for (let at = over; at !== null && !at.contains(element) && !element.contains(at); at = at.parentElement)
      if (!/, 0\\)$|transparent/.test(getComputedStyle(at).backgroundColor)) return true;
    return false;
  };
  const seen = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const text = node.textContent ?? "";
    const parent = node.parentElement;
    if (text.trim() === "" || parent === null || parent.closest("script, style, option, .visually-hidden, canvas, svg") !== null || !isShown(parent)) continue;
    range.selectNodeContents(node);
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
    if (rects.length === 0) continue;
    if (parent.closest(${JSON.stringify(API_NAMES)}) === null && /(?<![\\w"“/.=@-])[a-z]+_[a-z]/.test(text)) say("a name of the API", text, parent);
    if (/\\bNaN\\b|\\bundefined\\b|\\[object |Invalid Date|\\bInfinity\\b/.test(text)) say("no value", text, parent);
    // What can be scrolled to is not cut.
    let clip = { left: 0, right: innerWidth };
    let isCut = false;
    let isScrolled = false;
    let isEllipsis = false;
    const seenWithin = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
    for (let at = parent; at !== null && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.position === "fixed" && at !== parent) break;
      const box = at.getBoundingClientRect();
      if (style.overflowX !== "visible") {
        seenWithin.left = Math.max(seenWithin.left, box.left);
        seenWithin.right = Math.min(seenWithin.right, box.right);
        seenWithin.top = Math.max(seenWithin.top, box.top);
        seenWithin.bottom = Math.min(seenWithin.bottom, box.bottom);
      }
      if (isScrolled) continue;
      if (style.overflowX === "hidden" || style.overflowX === "clip") {
        if (rects.some(({ left, right }) => right > box.right + SLACK || left < box.left - SLACK)) {
          isCut = true;
          if (style.textOverflow === "ellipsis" && (at.closest("[title]") !== null || at.querySelector("[title]") !== null)) isEllipsis = true;
        }
      } else if (style.overflowX === "auto" || style.overflowX === "scroll") {
        isScrolled = true;
        clip = { left: -Infinity, right: Infinity };
        if (at.scrollWidth > at.clientWidth + 1 && at.closest(${JSON.stringify(STRIPS)}) === null) say("scrolls sideways", at.getAttribute("aria-label") ?? at.className, at);
      }
    }
    if (isCut && !isEllipsis) say("cut", text, parent);
    if (rects.some(({ left, right }) => right > clip.right + SLACK || left < clip.left - SLACK)) say("beyond the edge", text, parent);
    for (const whole of rects) {
      const rect = {
        left: Math.max(whole.left, seenWithin.left),
        right: Math.min(whole.right, seenWithin.right),
        top: Math.max(whole.top, seenWithin.top),
        bottom: Math.min(whole.bottom, seenWithin.bottom),
      };
      if (rect.right - rect.left < 1 || rect.bottom - rect.top < 1) continue;
      const [x, y] = [(rect.left + rect.right) / 2, (rect.top + rect.bottom) / 2];
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
      const top = document.elementFromPoint(x, y);
      // What lies below a dialog or a menu is not seen.
      if (top !== null && !covers(top, parent)) seen.push({ rect, text, parent });
    }
  }
  for (const [at, one] of seen.entries())
    for (const other of seen.slice(at + 1)) {
      if (one.parent === other.parent) continue;
      const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      if (width <= 2 || height <= 4) continue;
      const [x, y] = [Math.min(one.rect.right, other.rect.right) - width / 2, Math.min(one.rect.bottom, other.rect.bottom) - height / 2];
      const top = document.elementFromPoint(x, y);
      if (top === null || (!covers(top, one.parent) && !covers(top, other.parent))) say("runs into " + other.text.trim().slice(0, 30), one.text, one.parent);
    }
  for (const cell of root.querySelectorAll(".row-cards td:not(.acts)")) {
    if (!isShown(cell) || getComputedStyle(cell).display !== "flex") continue;
    range.selectNodeContents(cell);
    const parts = [...range.getClientRects()].filter(({ width }) => width > 1).sort((one, other) => one.left - other.left);
    for (const [at, part] of parts.slice(1).entries()) {
      const before = parts[at];
      if (Math.abs(part.top - before.top) < 8 && part.left - before.right > 12) say("stands apart", cell.textContent, cell);
    }
  }
  // In a strip that is longer than its place one must see which one is chosen.
  for (const chosen of root.querySelectorAll("[aria-current=page], [role=tab][aria-selected=true]")) {
    if (!isShown(chosen)) continue;
    const its = chosen.getBoundingClientRect();
    for (let at = chosen.parentElement; at !== null; at = at.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(at).overflowX + getComputedStyle(at).overflowY)) continue;
      const place = at.getBoundingClientRect();
      if (its.right > place.right + SLACK || its.left < place.left - SLACK || its.bottom > place.bottom + SLACK || its.top < place.top - SLACK) say("out of sight", chosen.textContent, chosen);
      break;
    }
  }
  return [...faults];
}`;
