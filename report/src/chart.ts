// What the charts share: a drawing as wide as its place, axes, and labels that avoid each other.
import { scaleLinear, type Linear } from 'd3-scale';
import { h, s, type Child } from './dom';

export interface Margin {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/** Of A4 between its margins, in px. */
const paper_width = 688;

/** A place for a drawing. It is drawn again when its width changes, so that letters keep their size. */
export class Canvas {
  readonly element = h('div', { class: 'chart' });
  private width = 0;

  constructor(private readonly draw: (width: number) => SVGSVGElement) {
    new ResizeObserver(() => {
      if (this.element.clientWidth > 0 && this.element.clientWidth !== this.width) this.redraw();
    }).observe(this.element);
    addEventListener('beforeprint', () => this.redraw(paper_width));
    addEventListener('afterprint', () => this.redraw());
  }

  redraw(width = this.element.clientWidth): void {
    this.width = width;
    this.element.replaceChildren(this.draw(width || 640));
  }
}

export function drawing(width: number, height: number, label: string, ...children: Child[]): SVGSVGElement {
  return s('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label }, ...children);
}

export function linear(domain: [number, number], range: [number, number]): Linear {
  return scaleLinear().domain(domain).range(range);
}

/** The axis at the bottom, with its title. */
export function bottomAxis(scale: Linear, y: number, title: string, ticks: number, format = scale.tickFormat(ticks)): SVGGElement {
  const [from, to] = scale.domain().map(scale);
  return s(
    'g',
    { class: 'axis' },
    s('line', { x1: from, x2: to, y1: y, y2: y }),
    ...scale.ticks(ticks).map((tick) =>
      s(
        'g',
        { transform: `translate(${scale(tick)},${y})` },
        s('line', { y2: 5 }),
        s('text', { y: 19, 'text-anchor': 'middle' }, format(tick)),
      ),
    ),
    title === '' ? null : s('text', { class: 'title', x: to, y: y + 40, 'text-anchor': 'end' }, title),
  );
}

/** The axis at the left, with lines across the chart; its title stands above it. */
export function leftAxis(
  scale: Linear,
  x: number,
  right: number,
  title: string,
  ticks: number,
  format = scale.tickFormat(ticks),
): SVGGElement {
  const top = scale(scale.domain()[1]);
  return s(
    'g',
    { class: 'axis' },
    ...scale.ticks(ticks).map((tick) =>
      s(
        'g',
        { transform: `translate(0,${scale(tick)})` },
        s('line', { class: 'across', x1: x, x2: right }),
        s('text', { x: x - 8, dy: '0.32em', 'text-anchor': 'end' }, format(tick)),
      ),
    ),
    title === '' ? null : s('text', { class: 'title', x: 0, y: top - 12 }, title),
  );
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

function overlap(a: Box, b: Box): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Puts a label beside each mark where it covers least of what is there already. */
export function labels(marks: { x: number; y: number; text: string }[], taken: Box[], frame: Box): SVGGElement {
  const placed: Box[] = [...taken, ...marks.map(({ x, y }) => ({ x: x - 8, y: y - 8, width: 16, height: 16 }))];
  const outside = (box: Box): number => box.width * box.height - overlap(box, frame);
  const texts = marks.map(({ x, y, text }) => {
    const width = 7.2 * text.length + 4;
    const height = 17;
    const places: Box[] = [];
    for (const away of [12, 24]) {
      places.push(
        { x: x + away, y: y - height / 2, width, height },
        { x: x - away - width, y: y - height / 2, width, height },
        { x: x - width / 2, y: y - away - height, width, height },
        { x: x - width / 2, y: y + away, width, height },
        { x: x + away, y: y - away - height / 2, width, height },
        { x: x + away, y: y + away - height / 2, width, height },
        { x: x - away - width, y: y - away - height / 2, width, height },
        { x: x - away - width, y: y + away - height / 2, width, height },
      );
    }
    const cost = (box: Box): number => placed.reduce((sum, other) => sum + overlap(box, other), 10 * outside(box));
    const best = places.reduce((a, b) => (cost(b) < cost(a) ? b : a));
    placed.push(best);
    return s('text', { class: 'label', x: best.x + 2, y: best.y + 13 }, text);
  });
  return s('g', {}, ...texts);
}

/** The shape of a mark by its kind: no two kinds differ by colour alone. */
export function mark(kind: string, x: number, y: number): SVGElement {
  const at = { class: `mark ${kind}`, transform: `translate(${x},${y})` };
  switch (kind) {
    case 'plain':
      return s('rect', { ...at, x: -6, y: -6, width: 12, height: 12 });
    case 'lots':
      return s('path', { ...at, d: 'M0,-8L8,0L0,8L-8,0Z' });
    case 'exact':
      return s('path', { ...at, d: 'M0,-8L7.5,6L-7.5,6Z' });
    case 'step':
      return s('circle', { ...at, r: 4.5 });
    case 'now':
      return s('circle', { ...at, r: 12 });
    default:
      return s('circle', { ...at, r: 7.5 });
  }
}
