// @ts-nocheck This runs in the browser; the types of the project are Node's.
/* The elements of the page. What comes from the venue is set as text, never as markup. */

export const at = (id) => document.getElementById(id);

/** `content` is text or a list of elements. */
export function element(name, attributes, content) {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  if (Array.isArray(content)) made.append(...content);
  else made.textContent = content;
  return made;
}

export function svgElement(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

/** Touches nothing that says so already: a screen reader would say it again. */
export function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

const waiting = new Set();

/** Runs `paint` with the next frame, once, however often it was asked for. */
export function paintSoon(paint) {
  if (waiting.size === 0) {
    requestAnimationFrame(() => {
      const paints = [...waiting];
      waiting.clear();
      for (const each of paints) each();
    });
  }
  waiting.add(paint);
}
