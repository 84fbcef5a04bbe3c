// Elements of HTML and SVG. Text enters the page as text nodes and attributes only, never as markup:
// names of nodes, groups and files are written by strangers.

export type Child = Node | string | null;
export type Attributes = { [name: string]: string | number | boolean | null | ((event: Event) => void) };

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

function present(children: Child[]): (Node | string)[] {
  return children.filter((child): child is Node | string => child !== null);
}

/** An element of HTML. A function among the attributes is a listener of the event of that name. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren(...present(children));
}

/** Text for screen readers only. */
export function hidden(text: string): HTMLElement {
  return h('span', { class: 'hidden' }, text);
}

/** A table with a row of headings. */
export function table(heads: Child[], rows: HTMLElement[], style: string | null = null): HTMLElement {
  return h(
    'table',
    { class: style },
    h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
    h('tbody', {}, ...rows),
  );
}

/** A table that scrolls in itself where the page is narrower; reachable by keyboard therefore. */
export function scrolling(label: string, table: HTMLElement): HTMLElement {
  const element = h('div', { class: 'scroll', role: 'region', 'aria-label': label, tabindex: 0 }, table);
  // The style then says that there is more to see.
  new ResizeObserver(() => element.toggleAttribute('data-wider', element.scrollWidth > element.clientWidth + 1)).observe(element);
  return element;
}

/** A part of the page: its element, and how it shows another point. */
export interface Section {
  element: HTMLElement;
  show(index: number): void;
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
}

/** Offers text as a file to save. */
export function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
